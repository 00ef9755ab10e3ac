// What stands in a menu. Imported only by lazily loaded content: it brings the popup library with it.
import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Kbd } from "./kbd.tsx";

const itemClass =
  "flex min-h-[30px] select-none items-center gap-2 rounded-control px-2 outline-none " +
  "data-highlighted:bg-bg-3 data-disabled:text-text-3 pointer-coarse:min-h-11";

export function MenuItem({
  icon,
  keys,
  danger,
  disabled,
  stay,
  aside,
  onSelect,
  children,
}: {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Keep the menu open: the item changes something step by step. */
  stay?: boolean;
  /** What stands at the right: a value or a mark. */
  aside?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Base.Item
      {...(disabled ? { disabled } : {})}
      closeOnClick={!stay}
      onClick={onSelect}
      className={cx(itemClass, danger && "text-danger")}
    >
      <span className={cx("flex w-4 shrink-0", danger ? "text-danger" : "text-text-3")}>
        {icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside ? <span className="text-caption text-text-3 tnum">{aside}</span> : null}
      {keys ? <Kbd keys={keys} /> : null}
    </Base.Item>
  );
}

export function MenuRadio<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon?: ReactNode; disabled?: boolean }[];
  onChange: (value: T) => void;
}) {
  return (
    <Base.Group>
      <MenuLabel>{label}</MenuLabel>
      <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            disabled={option.disabled ?? false}
            className={itemClass}
          >
            <span className="flex w-4 shrink-0 text-text-3">{option.icon}</span>
            <span className="flex-1">{option.label}</span>
            <Base.RadioItemIndicator className="flex text-accent">
              <Check size={14} strokeWidth={2} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

/** Items under one MenuLabel. */
export function MenuGroup({ children }: { children: ReactNode }) {
  return <Base.Group>{children}</Base.Group>;
}

/** A sentence among the items; nothing to choose. */
export function MenuNote({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <p className="flex gap-2 px-2 py-1.5 text-caption text-text-2">
      {icon ? <span className="mt-0.5 flex w-4 shrink-0 text-attention">{icon}</span> : null}
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-overline text-text-3">
      {children}
    </Base.GroupLabel>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
