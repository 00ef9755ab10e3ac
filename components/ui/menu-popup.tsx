// The popup of a menu. Who opens it, and beside what, is the caller's.
import { Menu as Base } from "@base-ui/react/menu";
import { type ReactNode, type RefObject, Suspense } from "react";
import { useBackCloses } from "./use-back-closes.ts";

export default function MenuPopup({
  isOpen,
  onOpenChange,
  anchor,
  trigger,
  side,
  align,
  children,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  anchor: RefObject<HTMLElement | null> | { getBoundingClientRect: () => DOMRect };
  /** Pressing it while the menu is open closes it by its own click, not as a press outside. */
  trigger?: RefObject<HTMLElement | null>;
  side: "top" | "bottom" | "left" | "right";
  align: "start" | "center" | "end";
  children: ReactNode;
}) {
  useBackCloses(isOpen, () => onOpenChange(false));
  return (
    <Base.Root
      modal
      open={isOpen}
      onOpenChange={(next, details) => {
        const { target } = details.event;
        const isOwnTrigger = target instanceof Node && trigger?.current?.contains(target);
        if (!next && isOwnTrigger && details.reason === "outside-press") return;
        onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 outline-none"
          // A press inside must not reach what lies under the portal in React's tree: a dragged tab, a context menu.
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={(event) => event.stopPropagation()}
          onContextMenu={(event) => {
            event.preventDefault();
            event.stopPropagation();
          }}
        >
          <Base.Popup
            finalFocus={trigger ?? true}
            className="popup max-h-(--available-height) min-w-56 max-w-80 overflow-y-auto rounded-card border border-line bg-bg-1 p-1 text-body text-text-1 shadow-2 outline-none"
          >
            <Suspense fallback={<span className="block h-8" />}>{children}</Suspense>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
