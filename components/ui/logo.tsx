// The mark: a prompt and a cursor, two hands on one line. Decorative; the name stands beside it.
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" className="fill-bg-2" />
      <rect
        x="1"
        y="1"
        width="30"
        height="30"
        rx="7"
        fill="none"
        className="stroke-line"
        strokeWidth="2"
      />
      <path
        d="M9 10.500 14.500 16 9 21.500"
        fill="none"
        className="stroke-accent"
        strokeWidth="3.200"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M18 21.500h5.500"
        className="stroke-human"
        strokeWidth="3.200"
        strokeLinecap="round"
      />
    </svg>
  );
}
