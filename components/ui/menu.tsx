"use client";
// Menus, opened by a button or by a right click. What is here is light: the popup and the items (menu-popup.tsx, menu-items.tsx)
// are loaded when the first menu opens, so the items come as a lazy component.
import {
  cloneElement,
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { part } from "./part.ts";

const MenuPopup = part(() => import("./menu-popup.tsx"));

type DomProps = Record<string, unknown>;

/** Told when a menu inside it opens and closes, also when it closes because it is no more. */
export const MenuWatch = createContext<((isOpen: boolean) => void) | null>(null);

function useWatched(isOpen: boolean): void {
  const watch = use(MenuWatch);
  useEffect(() => {
    if (!isOpen) return;
    watch?.(true);
    return () => watch?.(false);
  }, [isOpen, watch]);
}

export function Menu({
  trigger,
  children,
  side = "bottom",
  align = "end",
}: {
  /** A button; it passes unknown props on to the DOM. */
  trigger: ReactElement;
  children: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
}) {
  const [isOpen, setOpen] = useState(false);
  useWatched(isOpen);
  const [wasOpened, setWasOpened] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  const open = (next: boolean) => {
    setOpen(next);
    if (next) setWasOpened(true);
  };
  return (
    <>
      {cloneElement(trigger as ReactElement<DomProps>, {
        ref: anchor,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        "data-popup-open": isOpen ? "" : undefined,
        onClick: () => open(!isOpen),
      })}
      {wasOpened ? (
        <Suspense fallback={null}>
          <MenuPopup
            isOpen={isOpen}
            onOpenChange={open}
            anchor={anchor}
            trigger={anchor}
            side={side}
            align={align}
          >
            {children}
          </MenuPopup>
        </Suspense>
      ) : null}
    </>
  );
}

/** `target` is the element that is right-clicked; `children` stand inside it. */
export function ContextMenu({
  target,
  items,
  children,
}: {
  target: ReactElement;
  items: ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  useWatched(isOpen);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  return cloneElement(
    target as ReactElement<DomProps>,
    {
      "data-popup-open": isOpen ? "" : undefined,
      onContextMenu: (event: MouseEvent) => {
        // In a text field the browser's own menu (paste, spelling) is the useful one.
        if (event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        setAt({ x: event.clientX, y: event.clientY });
        setOpen(true);
      },
    },
    children,
    at ? (
      <Suspense key="menu" fallback={null}>
        <MenuPopup
          isOpen={isOpen}
          onOpenChange={setOpen}
          anchor={{ getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }}
          side="bottom"
          align="start"
        >
          {items}
        </MenuPopup>
      </Suspense>
    ) : null,
  );
}
