// Text that comes without a key of its own: soft keyboards and input methods send key 229 and then an input event (B117). xterm
// compares its text area one task later instead, which loses text that comes later and doubles text that comes faster.
// Compositions stay with xterm, which shows them at the cursor.
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { listenAt } from "./dom-listener.ts";

const processKey = 229;

export class SoftInput implements Disposable {
  private readonly store = new DisposableStore();
  private isArmed = false;
  private isComposing = false;
  /** xterm reads the text area one task after a composition's end, and takes along what was put in until then. */
  private isCommitting = false;

  /** `root` holds xterm's text area. */
  constructor(
    root: EventTarget,
    private readonly clock: Clock,
    private readonly typed: (text: string) => void,
  ) {
    this.listen(root, "compositionstart", () => {
      this.isComposing = true;
    });
    this.listen(root, "compositionend", () => {
      this.isComposing = false;
      this.isCommitting = true;
    });
    // Behind xterm's own listener, so its timer runs first; it tells by `committed` unless there was nothing to send.
    const settle = () => this.store.add(this.clock.after(0, () => this.committed()));
    this.store.add(listenAt(root, "compositionend", settle));
    this.listen(root, "input", (event: InputEvent) => this.input(event));
  }

  /** True: this key's text comes as an input event and is taken from there; xterm must not look at the key. */
  takesKey(event: KeyboardEvent): boolean {
    // Without a key held down xterm takes input events itself.
    if (event.type === "keyup") this.isArmed = false;
    if (event.type !== "keydown") return false;
    // Also while a commit is under way: whether its text is in time to be taken along shows when it comes.
    this.isArmed = event.keyCode === processKey && !this.isComposing;
    return this.isArmed;
  }

  /** xterm has just sent something: whatever comes into the text area from now on is not part of a finished composition. */
  committed(): void {
    this.isCommitting = false;
  }

  dispose(): void {
    this.store.dispose();
  }

  private input(event: InputEvent): void {
    // xterm takes what is not composed (written by a script or an extension) itself.
    if (!this.isArmed || this.isComposing || this.isCommitting || !event.composed) return;
    const text = textOf(event);
    if (text !== "") this.typed(text);
  }

  private listen<E extends Event>(root: EventTarget, type: string, heard: (event: E) => void) {
    this.store.add(listenAt(root, type, heard, { capture: true }));
  }
}

/** What a keyboard would have sent for this change of a text field. */
function textOf({ inputType, data }: InputEvent): string {
  switch (inputType) {
    case "insertText":
      return data ?? "";
    case "insertLineBreak":
    case "insertParagraph":
      return "\r";
    case "deleteContentBackward":
      return "\x7f";
    default:
      return "";
  }
}
