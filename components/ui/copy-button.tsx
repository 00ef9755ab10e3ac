"use client";
// Copies a text and says so on the spot.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button, type ButtonSize } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { notify } from "./toast.tsx";

export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const s = useStrings();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string) => {
    // On plain http away from localhost there is no clipboard object at all.
    const written =
      navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    written.then(
      () => setCopied(true),
      () => notify({ id: "clipboard", text: s.clipboard.blocked, detail: text }),
    );
  };
  return { copied, copy };
}

export function CopyIconButton({
  text,
  label,
  reason,
}: {
  text: string;
  label: string;
  /** Why there is nothing to copy yet. */
  reason?: string | undefined;
}) {
  const { copied, copy } = useCopy();
  const s = useStrings();
  return (
    <IconButton label={copied ? s.common.copied : label} reason={reason} onClick={() => copy(text)}>
      {copied ? (
        <Check size={16} strokeWidth={1.75} className="text-human" />
      ) : (
        <Copy size={16} strokeWidth={1.75} />
      )}
    </IconButton>
  );
}

export function CopyTextButton({
  text,
  label,
  size = "banner",
}: {
  text: string | (() => string);
  label: string;
  size?: ButtonSize;
}) {
  const { copied, copy } = useCopy();
  const s = useStrings();
  return (
    <Button size={size} onClick={() => copy(typeof text === "string" ? text : text())}>
      {copied ? (
        <Check size={14} strokeWidth={1.75} className="text-human" />
      ) : (
        <Copy size={14} strokeWidth={1.75} />
      )}
      {copied ? s.common.copied : label}
    </Button>
  );
}
