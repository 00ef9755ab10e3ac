// One choice of few, side by side.
import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import type { ReactNode } from "react";

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
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      // Pressing the chosen one again would leave none chosen.
      onValueChange={(next) => next[0] && onChange(next[0] as T)}
      className="inline-flex gap-0.5 rounded-control border border-line bg-bg-0 p-0.5"
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          className="h-6 shrink-0 nowrap rounded-kbd px-2.5 text-caption font-strong text-text-2 transition-colors duration-120 hover:text-text-1 data-pressed:bg-bg-3 data-pressed:text-text-1 pointer-coarse:h-10"
        >
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
