// The panel of a popover, beside any element. Closes on Escape, on Back and on a press outside.
import { Popover as Base } from "@base-ui/react/popover";
import { type ReactNode, type RefObject, Suspense } from "react";
import { useBackCloses } from "./use-back-closes.ts";

export default function PopoverPopup({
  isOpen,
  onClose,
  anchor,
  trigger,
  align = "start",
  title,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  anchor: Element | RefObject<Element | null> | null;
  /** Pressing it while the panel is open closes it by its own click, not as a press outside. */
  trigger?: RefObject<HTMLElement | null>;
  align?: "start" | "center" | "end";
  title: string;
  children: ReactNode;
}) {
  useBackCloses(isOpen, onClose);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next, details) => {
        const { target } = details.event;
        const isOwnTrigger = target instanceof Node && trigger?.current?.contains(target);
        if (!next && !(isOwnTrigger && details.reason === "outside-press")) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side="bottom"
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup
            {...(trigger ? { finalFocus: trigger } : {})}
            className="popup w-72 max-w-[calc(100vw-16px)] rounded-card border border-line bg-bg-1 p-3 text-body text-text-1 shadow-2 outline-none"
          >
            <Base.Title className="mb-1 font-semibold">{title}</Base.Title>
            <Suspense fallback={null}>{children}</Suspense>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
