// One typed event. Listeners run synchronously, in order of subscription; a listener added during a fire hears the next one.
import { type Disposable, toDisposable } from "./lifecycle.ts";

export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  private listeners: readonly ((value: T) => void)[] = [];

  readonly event: Event<T> = (listener) => {
    // A wrapper, so that the same function subscribed twice is two subscriptions.
    const entry = (value: T) => listener(value);
    this.listeners = [...this.listeners, entry];
    return toDisposable(() => {
      this.listeners = this.listeners.filter((other) => other !== entry);
    });
  };

  get listenerCount(): number {
    return this.listeners.length;
  }

  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.listeners = [];
  }
}
