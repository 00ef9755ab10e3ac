// The tooltip itself; loaded when the first one is shown.
import { Tooltip as Base } from "@base-ui/react/tooltip";
import { Kbd } from "./kbd.tsx";
import type { ShownTip } from "./tooltip-host.tsx";

export default function TooltipPopup({ tip, isOpen }: { tip: ShownTip; isOpen: boolean }) {
  return (
    <Base.Root open={isOpen && tip.anchor.isConnected}>
      <Base.Portal>
        <Base.Positioner
          anchor={tip.anchor}
          side={tip.side}
          sideOffset={6}
          collisionPadding={6}
          className="pointer-events-none z-60"
        >
          {/* Its words are the element's own name or description; it would be heard twice. */}
          <Base.Popup
            aria-hidden
            className="popup flex max-w-72 items-center gap-2 rounded-control border border-line bg-bg-2 px-2 py-1 text-caption text-text-1 shadow-2"
          >
            <span className="min-w-0 text-pretty">{tip.text}</span>
            {tip.keys ? <Kbd keys={tip.keys} /> : null}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
