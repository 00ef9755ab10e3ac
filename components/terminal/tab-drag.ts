// Reordering tabs by dragging: a tab moves as soon as the pointer crosses the middle of its neighbour.
import { type PointerEvent, useRef } from "react";

const startPx = 5;

export function useTabDrag(options: {
  /** The tabs' elements in order. */
  items: () => Element[];
  move: (id: string, to: number) => void;
  onEnd: (id: string) => void;
}) {
  const drag = useRef<{ id: string; x: number; isMoving: boolean } | null>(null);

  function onPointerDown(id: string, event: PointerEvent) {
    // Touch scrolls the list; the keys and the menu reorder there.
    if (event.button !== 0 || event.pointerType !== "mouse") return;
    drag.current = { id, x: event.clientX, isMoving: false };
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const held = drag.current;
    if (!held) return;
    if (event.buttons === 0) return onPointerUp();
    if (!held.isMoving) {
      if (Math.abs(event.clientX - held.x) < startPx) return;
      held.isMoving = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    const elements = options.items();
    const from = elements.findIndex((element) => element.getAttribute("data-tab") === held.id);
    const to = elements.filter((element, index) => {
      if (index === from) return false;
      const box = element.getBoundingClientRect();
      return event.clientX > box.left + box.width / 2;
    }).length;
    if (from >= 0 && to !== from) options.move(held.id, to);
  }
  function onPointerUp() {
    const held = drag.current;
    drag.current = null;
    if (held?.isMoving) options.onEnd(held.id);
  }
  return { onPointerDown, onPointerMove, onPointerUp };
}
