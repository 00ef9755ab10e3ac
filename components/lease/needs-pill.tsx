"use client";
// In the top bar: how many sessions need somebody; absent when none does. Opens the list.
import { BellRing } from "lucide-react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { part } from "#components/ui/part.ts";
import { Popover } from "#components/ui/popover.tsx";

const NeedsList = part(() => import("./needs-list.tsx"));

export function NeedsPill() {
  const app = useApp();
  const s = useStrings();
  const count = useStore(app.needs.store, ({ list }) => list.length);
  if (count === 0) return null;
  return (
    <Popover
      title={s.keyboard.needs.title}
      trigger={
        <button
          type="button"
          data-needs={count}
          aria-label={s.keyboard.needs.count(count)}
          data-tip={s.keyboard.needs.next}
          data-tip-keys="Alt+Shift+N"
          className="inline-flex h-7 items-center gap-1.5 rounded-full bg-attention-fill px-2.5 text-caption font-strong text-attention nowrap tnum transition-colors duration-120 hover:brightness-110 pointer-coarse:h-11"
        >
          <BellRing size={14} strokeWidth={2} aria-hidden />
          <span className="max-desktop:hidden">{s.keyboard.needs.count(count)}</span>
          <span className="desktop:hidden">{count}</span>
        </button>
      }
    >
      <NeedsList />
    </Popover>
  );
}
