// The handle between two panes (ARIA window splitter). Knows a number and its range, not what it sizes.
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { cx } from "./cx.ts";

export interface GripProps {
  label: string;
  /** Which way the separator line runs. A horizontal one moves up and down. */
  orientation: "horizontal" | "vertical";
  /** Percent or pixels, as the caller likes; `step` and `bigStep` are in the same unit. */
  value: number;
  min: number;
  max: number;
  step: number;
  bigStep: number;
  /** Unit per pixel of pointer travel; negative where the pane lies before the pointer. */
  perPixel: () => number;
  onChange: (value: number) => void;
  onCommit?: () => void;
  onToggle?: () => void;
  className?: string;
  controls?: string;
  /** Show the line only while it is pointed at. */
  hideHandle?: boolean;
}

export function Grip(props: GripProps) {
  const { orientation, value, min, max } = props;
  const drag = useRef<{ at: number; value: number; perPixel: number } | null>(null);
  const vertical = orientation === "vertical";

  function set(next: number) {
    props.onChange(Math.min(max, Math.max(min, next)));
  }
  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      at: vertical ? event.clientX : event.clientY,
      value,
      perPixel: props.perPixel(),
    };
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (!drag.current) return;
    const at = vertical ? event.clientX : event.clientY;
    set(drag.current.value + (at - drag.current.at) * drag.current.perPixel);
  }
  function onPointerUp() {
    if (!drag.current) return;
    drag.current = null;
    props.onCommit?.();
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.shiftKey ? props.bigStep : props.step;
    // Arrows move the line the way they point.
    const sign = props.perPixel() < 0 ? -1 : 1;
    const move: Record<string, number> = {
      [vertical ? "ArrowRight" : "ArrowDown"]: value + sign * step,
      [vertical ? "ArrowLeft" : "ArrowUp"]: value - sign * step,
      Home: min,
      End: max,
    };
    const next = move[event.key];
    if (event.key === "Enter") props.onToggle?.();
    else if (next === undefined) return;
    else {
      set(next);
      props.onCommit?.();
    }
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable window splitter, which <hr> is not.
    <div
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      aria-controls={props.controls}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={props.onToggle}
      onKeyDown={onKeyDown}
      className={cx(
        "group/grip flex shrink-0 touch-none items-center justify-center focus-inset",
        vertical ? "w-1.5 cursor-col-resize" : "h-1.5 cursor-row-resize",
        props.className,
      )}
    >
      <span
        className={cx(
          "rounded-full bg-line transition-colors duration-120 group-hover/grip:bg-line-strong group-active/grip:bg-accent group-focus-visible/grip:bg-accent",
          vertical ? "h-10 w-[3px]" : "h-[3px] w-10",
          props.hideHandle &&
            "opacity-0 transition-opacity group-hover/grip:opacity-100 group-active/grip:opacity-100 group-focus-visible/grip:opacity-100",
        )}
      />
    </div>
  );
}
