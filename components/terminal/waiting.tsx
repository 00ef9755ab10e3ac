// Where a terminal is going to be.

/** A prompt that is not there yet. Nothing at all for the first 300 ms. */
export function Waiting({ text }: { text: string }) {
  return (
    <div className="after-300 absolute inset-x-3 inset-y-2.5 bg-term font-mono text-body text-text-3">
      <span aria-hidden>$ </span>
      {text}
      <span className="blink ml-1 inline-block h-4 w-2 translate-y-0.5 bg-text-3" aria-hidden />
    </div>
  );
}
