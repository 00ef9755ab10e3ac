"use client";
// All sessions that need somebody, the most urgent first, each with what speaks for it.
import { BellRing, Check, CircleCheck, Hourglass, KeyRound, X } from "lucide-react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { NeedReason } from "#lib/store/needs.ts";
import { evidenceText } from "./need-words.ts";

const marks: Record<NeedReason, { icon: typeof BellRing; tone: string }> = {
  password: { icon: KeyRound, tone: "text-danger" },
  question: { icon: BellRing, tone: "text-attention" },
  failed: { icon: X, tone: "text-danger" },
  finished: { icon: CircleCheck, tone: "text-human" },
  stalled: { icon: Hourglass, tone: "text-attention" },
};

export default function NeedsList() {
  const app = useApp();
  const s = useStrings();
  const list = useStore(app.needs.store, (state) => state.list);
  const now = useNow(30_000);
  if (list.length === 0)
    return <p className="px-1 py-2 text-caption text-text-3">{s.keyboard.needs.none}</p>;
  return (
    <ul className="-mx-1 flex w-80 max-w-full flex-col">
      {list.map((need) => {
        const { icon: Icon, tone } = marks[need.reason];
        const name = app.infoOf(need.id)?.name ?? need.id.slice(0, 8);
        return (
          <li key={need.id} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => app.actions.open(need.id)}
              className="focus-inset flex min-w-0 flex-1 items-start gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-bg-3"
            >
              <Icon
                size={16}
                strokeWidth={1.75}
                aria-hidden
                className={cx("mt-0.5 shrink-0", tone)}
              />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="truncate font-strong text-body">{name}</span>
                  <span className={cx("shrink-0 text-caption", tone)}>
                    {s.keyboard.needs.reasons[need.reason]}
                  </span>
                </span>
                <span className="line-clamp-2 text-caption text-text-2">
                  {evidenceText(need, now, s)}
                </span>
              </span>
            </button>
            {need.reason === "password" ? null : (
              <IconButton
                label={s.keyboard.needs.dismiss(name)}
                onClick={() => app.needs.dismiss(need.id)}
              >
                <Check size={16} strokeWidth={1.75} />
              </IconButton>
            )}
          </li>
        );
      })}
    </ul>
  );
}
