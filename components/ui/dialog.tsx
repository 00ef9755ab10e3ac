// A modal question. Escape and Back close it; the caller decides what closing means.
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";
import { cx } from "./cx.ts";
import { useBackCloses } from "./use-back-closes.ts";

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  initialFocus,
  finalFocus,
  wide,
  staysOnPressOutside,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  actions: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
  finalFocus?: RefObject<HTMLElement | null>;
  wide?: boolean;
  staysOnPressOutside?: boolean;
}) {
  useBackCloses(open, onClose);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={staysOnPressOutside ?? false}
      onOpenChange={(next) => (next ? undefined : onClose())}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          {...(initialFocus ? { initialFocus } : {})}
          {...(finalFocus ? { finalFocus } : {})}
          className={cx(
            "popup fixed top-1/2 left-1/2 z-40 flex max-h-[min(85dvh,640px)] w-[calc(100vw-24px)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4",
            "rounded-dialog border border-line bg-bg-1 p-5 text-lead shadow-3 outline-none",
            wide ? "max-w-[640px]" : "max-w-[440px]",
          )}
        >
          <div>
            <Base.Title className="text-title">{title}</Base.Title>
            {description ? (
              <Base.Description render={<div />} className="mt-1 text-text-2">
                {description}
              </Base.Description>
            ) : null}
          </div>
          {children}
          <div className="flex flex-wrap justify-end gap-2">{actions}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
