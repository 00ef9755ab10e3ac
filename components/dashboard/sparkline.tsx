// The last round trips as a line. Scale starts at zero, so that a flat line means what it looks like.
export function Sparkline({
  values,
  label,
  empty,
}: {
  values: readonly number[];
  label: string;
  empty: string;
}) {
  const width = 264;
  const height = 40;
  if (values.length < 2) return <p className="py-2 text-caption text-text-3">{empty}</p>;
  const top = Math.max(...values, 1) * 1.15;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * (width - 6) + 3;
    const y = height - 3 - (value / top) * (height - 6);
    return [x, y] as const;
  });
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const [lastX, lastY] = points[points.length - 1] ?? [0, 0];
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className="mt-1 block h-10 w-full text-accent"
      preserveAspectRatio="none"
    >
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      <circle cx={lastX} cy={lastY} r="2.5" fill="currentColor" />
    </svg>
  );
}
