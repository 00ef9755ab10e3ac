"use client";
// A small panel beside its trigger. The panel and its content are loaded when it is first opened.
import { cloneElement, type ReactElement, type ReactNode, Suspense, useRef, useState } from "react";
import { part } from "./part.ts";

const PopoverPopup = part(() => import("./popover-popup.tsx"));

export function Popover({
  trigger,
  title,
  children,
}: {
  /** A button; it passes unknown props on to the DOM. */
  trigger: ReactElement;
  /** Accessible name of the panel; shown on top. */
  title: string;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  return (
    <>
      {cloneElement(trigger as ReactElement<Record<string, unknown>>, {
        ref: anchor,
        "aria-haspopup": "dialog",
        "aria-expanded": isOpen,
        "data-popup-open": isOpen ? "" : undefined,
        onClick: () => {
          setOpen(!isOpen);
          setWasOpened(true);
        },
      })}
      {wasOpened ? (
        <Suspense fallback={null}>
          <PopoverPopup
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            anchor={anchor}
            trigger={anchor}
            align="end"
            title={title}
          >
            {children}
          </PopoverPopup>
        </Suspense>
      ) : null}
    </>
  );
}
