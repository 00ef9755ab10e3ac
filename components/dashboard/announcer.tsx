"use client";
// What a screen reader hears about changes it cannot see. Polite, one after another, never twice the same in a row at once.
import { useEffect, useState } from "react";
import { Emitter } from "#lib/base/emitter.ts";

const said = new Emitter<string>();

export function announce(text: string): void {
  said.fire(text);
}

export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listening = said.event((next) => {
      // Debounced: a flapping connection is one sentence, its last state.
      clearTimeout(timer);
      timer = setTimeout(() => setText(next), 1000);
    });
    return () => {
      clearTimeout(timer);
      listening.dispose();
    };
  }, []);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
