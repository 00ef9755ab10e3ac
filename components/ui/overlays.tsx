"use client";
// What every page needs above itself: its language, tooltips and notices.
import { type ReactNode, useEffect } from "react";
import { languageOfPage, speak } from "#components/strings/language.ts";
import { Toaster } from "./toast.tsx";
import { TooltipHost } from "./tooltip-host.tsx";

export function Overlays({ children }: { children: ReactNode }) {
  // Pages without the workspace have no settings to follow; the language is right for as long as they are open.
  useEffect(() => void speak(languageOfPage()), []);
  return (
    <>
      {children}
      <TooltipHost />
      <Toaster />
    </>
  );
}
