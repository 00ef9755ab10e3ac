// Keys of a chord, each in its own box: "Alt+Shift+T".
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex items-center gap-0.5 pointer-coarse:hidden" aria-hidden>
      {keys.split(/\+(?!$)/).map((key) => (
        <kbd
          key={key}
          className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-kbd border border-line bg-bg-1 px-1 font-sans text-[11px] leading-none text-text-2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
