"use client";
// Keeps lazily loaded content out until it is first wanted, and in from then on, so that it can close with its animation.
import { type ReactNode, Suspense, useState } from "react";

export function Once({ when, children }: { when: boolean; children: ReactNode }) {
  const [was, setWas] = useState(when);
  if (when && !was) setWas(true);
  return when || was ? <Suspense fallback={null}>{children}</Suspense> : null;
}
