"use client";
// When the keyboard goes back, how other people take it, and what agents may do with terminals that are started here: this browser's choices.
import { useId, useState } from "react";
import { useApp, useSettings, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import type { Access } from "#lib/protocol/lease.ts";
import { idleSeconds } from "#lib/store/settings.ts";

export default function KeyboardSettings() {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.settings;
  const isOpen = useUi((state) => state.isKeyboardSettingsOpen);
  const idle = useSettings((state) => state.idle);
  const politeness = useSettings((state) => state.politeness);
  const access = useSettings((state) => state.access);
  const { change } = app.settings.getState();
  const [seconds, setSeconds] = useState(typeof idle === "number" ? idle : idleSeconds.default);
  const name = useId();
  const close = () => app.ui.setState({ isKeyboardSettingsOpen: false });
  const isRange = seconds >= idleSeconds.min && seconds <= idleSeconds.max;
  const rows = [
    { value: "server", label: words.server },
    { value: "after", label: words.after },
    { value: "never", label: words.never },
  ] as const;
  const chosen = typeof idle === "number" ? "after" : idle;
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      title={words.title}
      description={words.lead}
      actions={
        <Button look="primary" onClick={close}>
          {words.done}
        </Button>
      }
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 text-overline text-text-3">{words.handBack}</legend>
        {rows.map(({ value, label }) => (
          <div key={value} className="flex min-h-9 items-center gap-2.5">
            <label className="flex items-center gap-2.5">
              <input
                type="radio"
                name={name}
                checked={chosen === value}
                onChange={() => change({ idle: value === "after" ? seconds : value })}
                className="size-4 accent-accent"
              />
              {label}
            </label>
            {value === "after" ? (
              <label className="flex items-center gap-2 text-text-2">
                <input
                  type="number"
                  min={idleSeconds.min}
                  max={idleSeconds.max}
                  step={1}
                  value={Number.isNaN(seconds) ? "" : seconds}
                  aria-invalid={!isRange}
                  onChange={(event) => {
                    const next = event.target.valueAsNumber;
                    setSeconds(next);
                    // Out of range is not taken.
                    change({ idle: next });
                  }}
                  className="h-8 w-20 rounded-control border border-line-strong bg-bg-0 px-2 text-text-1 tnum aria-invalid:border-danger pointer-coarse:h-11"
                />
                {words.seconds}
              </label>
            ) : null}
          </div>
        ))}
        {isRange ? null : <p className="text-caption text-danger">{words.range}</p>}
      </fieldset>
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 text-overline text-text-3">{words.others}</legend>
        {(["server", "polite", "immediate", "ask"] as const).map((value) => (
          <label key={value} className="flex min-h-9 items-center gap-2.5">
            <input
              type="radio"
              name={`${name}-others`}
              checked={politeness === value}
              onChange={() => change({ politeness: value })}
              className="size-4 accent-accent"
            />
            {words.politeness[value]}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-col items-start gap-2">
        <span className="text-overline text-text-3">{words.newAccess}</span>
        <Segmented<Access>
          label={words.newAccess}
          value={access}
          options={(["collaborate", "observe", "sealed"] as const).map((level) => ({
            value: level,
            label: s.keyboard.access[level],
          }))}
          onChange={(level) => change({ access: level })}
        />
      </div>
    </Dialog>
  );
}
