// What the surroundings tell a connection: whether somebody can see it, and that the machine or the network woke up.
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";

export interface PageSignals extends Disposable {
  isVisible(): boolean;
  /** Now is a good moment to try again: the network came back, the page was shown, or it left the back-forward cache. */
  readonly onWake: Event<void>;
  readonly onVisibility: Event<boolean>;
}

/** For programs without a page (CLI, tests): always visible, never woken. */
export function noPage(): PageSignals {
  return {
    isVisible: () => true,
    onWake: new Emitter<void>().event,
    onVisibility: new Emitter<boolean>().event,
    dispose() {},
  };
}

export function browserPage(view: Window): PageSignals {
  const store = new DisposableStore();
  const wake = store.add(new Emitter<void>());
  const visibility = store.add(new Emitter<boolean>());
  const listen = (target: EventTarget, type: string, listener: () => void) => {
    target.addEventListener(type, listener);
    store.add(toDisposable(() => target.removeEventListener(type, listener)));
  };
  const isVisible = () => view.document.visibilityState !== "hidden";
  listen(view, "online", () => wake.fire());
  listen(view, "pageshow", () => wake.fire());
  listen(view.document, "visibilitychange", () => {
    visibility.fire(isVisible());
    if (isVisible()) wake.fire();
  });
  return {
    isVisible,
    onWake: wake.event,
    onVisibility: visibility.event,
    dispose: () => store.dispose(),
  };
}
