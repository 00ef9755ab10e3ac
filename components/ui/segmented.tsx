// One choice of few, side by side: one stop of Tab, arrows move, Enter and Space choose (a toolbar's keys, of buttons that are pressed).
import { type FocusEvent, type KeyboardEvent, type ReactNode, useState } from "react";

export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode }[];
  onChange: (value: T) => void;
}) {
  /** Where the arrows led, while the focus is here; from elsewhere Tab comes to what is chosen, whoever chose it. */
  const [stop, setStop] = useState<T | null>(null);
  const tabStop = options.find((option) => option.value === (stop ?? value)) ?? options[0];

  function onKeyDown(event: KeyboardEvent<HTMLFieldSetElement>) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const last = buttons.length - 1;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    buttons[to > last ? 0 : to < 0 ? last : to]?.focus();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLFieldSetElement>) {
    if (!currentTarget.contains(relatedTarget)) setStop(null);
  }

  return (
    <fieldset
      aria-label={label}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      className="inline-flex min-w-0 gap-0.5 rounded-control border border-line bg-bg-0 p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          tabIndex={option === tabStop ? 0 : -1}
          onFocus={() => setStop(option.value)}
          onClick={() => onChange(option.value)}
          className="h-6 shrink-0 nowrap rounded-kbd px-2.5 text-caption font-strong text-text-2 transition-colors duration-120 hover:text-text-1 aria-pressed:bg-bg-3 aria-pressed:text-text-1 pointer-coarse:h-10"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
