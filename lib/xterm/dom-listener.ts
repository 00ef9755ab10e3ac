// A listener at an element, as something that ends.
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";

export function listenAt<E extends Event>(
  target: EventTarget,
  type: string,
  heard: (event: E) => void,
  options: AddEventListenerOptions = {},
): Disposable {
  const listener = heard as (event: Event) => void;
  target.addEventListener(type, listener, options);
  return toDisposable(() => target.removeEventListener(type, listener, options));
}
