// One serialisation of a screen for all who ask for the same state (C-S5): while it is made, and afterwards as long as one of them holds it.
// Knows nothing of how it is made.
import type { SerialisedTerminal } from "./snapshot.ts";

type Latest =
  | { readonly kind: "running"; version: string; result: Promise<SerialisedTerminal> }
  | {
      readonly kind: "made";
      version: string;
      screen: WeakRef<Uint8Array>;
      history: WeakRef<readonly Uint8Array[]>;
    };

export class SharedSerialisation {
  private latest: Latest | undefined;

  /** `make` is called where none of this version is there or on its way. */
  async get(version: string, make: () => Promise<SerialisedTerminal>): Promise<SerialisedTerminal> {
    const known = this.latest?.version === version ? this.latest : undefined;
    if (known?.kind === "running") return known.result;
    const screen = known?.screen.deref();
    const history = known?.history.deref();
    if (screen && history) return { screen, history };
    const result = make();
    const running: Latest = { kind: "running", version, result };
    this.latest = running;
    try {
      const made = await result;
      if (this.latest === running) this.latest = kept(version, made);
      return made;
    } catch (error) {
      if (this.latest === running) this.latest = undefined;
      throw error;
    }
  }
}

function kept(version: string, { screen, history }: SerialisedTerminal): Latest {
  return { kind: "made", version, screen: new WeakRef(screen), history: new WeakRef(history) };
}
