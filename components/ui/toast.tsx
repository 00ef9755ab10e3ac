"use client";
// Short notices at the bottom right. What shows them (notices.tsx) is loaded when the page has come to rest, or for the first of them; until
// then they wait in their order.
import { type ComponentType, useEffect, useState } from "react";

export interface Notice {
  id?: string;
  text: string;
  detail?: string;
  action?: { label: string; run: () => void };
  second?: { label: string; run: () => void };
  durationMs?: number;
  /** Called when it went away by time or by hand, not through its action. */
  onGone?: () => void;
}

export interface NoticeBoard {
  show(notice: Notice): void;
  dismiss(id: string): void;
}

type Shown = ComponentType<{ onReady: (board: NoticeBoard) => void }>;
type Task = (board: NoticeBoard) => void;

/** More tell nothing new to somebody who could not read the first. */
const maxWaiting = 20;

let board: NoticeBoard | null = null;
let waiting: Task[] = [];
let load: () => void = () => undefined;

/** Shows a notice; one with the same id replaces its predecessor. */
export function notify(notice: Notice): void {
  tell((to) => to.show(notice));
}

export function dismissNotice(id: string): void {
  tell((to) => to.dismiss(id));
}

function tell(task: Task): void {
  if (board) task(board);
  else {
    waiting = [...waiting, task].slice(-maxWaiting);
    load();
  }
}

function ready(next: NoticeBoard): void {
  board = next;
  for (const task of waiting.splice(0)) task(next);
}

export function Toaster() {
  const [Shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    load = () => {
      // Without a server there is nothing to load from: tried again with the next notice, and what waits is shown then.
      import("./notices.tsx").then(
        (loaded) => setShown(() => loaded.default),
        () => undefined,
      );
    };
    if (waiting.length > 0) load();
    // Not every browser tells when it is idle.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(load, 2000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, []);
  return Shown ? <Shown onReady={ready} /> : null;
}
