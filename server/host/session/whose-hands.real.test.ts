// Issue 5, shown by 2: two people and two agents type at once into a real terminal, in pieces as awkward as they come, and the program in it says
// exactly what it got.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { InputItem } from "#lib/protocol/input.ts";
import { owedAfter } from "#server/host/input/cut-unit.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { realRig } from "#server/testing/real-rig.ts";

const people: readonly Actor[] = ["A", "B"].map((id) => ({
  kind: "human",
  id,
  name: id,
  role: "owner",
}));
const agents: readonly Actor[] = ["x", "y"].map((id) => ({
  kind: "agent",
  id,
  name: id,
  role: "agent",
}));
const probe = join(import.meta.dirname, "../../testing/probe.mjs");

/** Reproducible, and different for each seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * sides);
  };
}

let rig: Awaited<ReturnType<typeof realRig>>;
beforeAll(async () => {
  rig = await realRig();
});
afterAll(() => rig.registry.dispose());

interface Sent {
  readonly from: string;
  readonly whole: string;
  outcome: "accepted" | "refused" | "unknown";
  /** Bytes of it that had been typed, as its refusal says. */
  delivered?: number;
}

/** How much of `rest` is the begun unit and what it owed; 0: there is no such place. A refusal that names the place is believed to the byte. */
function endOfCut({ whole, delivered }: Sent, rest: string): number {
  const bytes = Buffer.from(whole);
  let most = 0;
  while (most < whole.length && rest[most] === whole[most]) most += 1;
  const places = delivered ? [delivered] : Array.from({ length: most }, (_, back) => most - back);
  for (const at of places) {
    if (at > most) continue;
    const owed = owedAfter(bytes, at, { isSecret: false, takesPastes: true });
    const cut = whole.slice(0, at) + Buffer.from(owed).toString();
    if (rest.startsWith(cut) && /^(<[AB]\d|$)/.test(rest.slice(cut.length, cut.length + 3)))
      return cut.length;
  }
  return 0;
}

describe("two people and two agents at one keyboard", () => {
  it("[LS7] [IN5] [T62] [T63] of 1,000 writes a person's arrives whole, an agent's whole or up to where it is told that it was cut, and nothing that was refused arrives", async () => {
    const roll = dice(4_711);
    // It takes pastes: one that is cut has to be ended for it.
    const command = `printf '\\033[?2004h'; exec '${process.execPath}' '${probe}' --quit none`;
    const session = await rig.create({ command: ["/bin/sh", "-c", command] });
    const { sink } = session.dump();
    const printed: string[] = [];
    sink.onFrame((frame) => {
      if (frame.kind === "bytes") printed.push(Buffer.from(frame.bytes).toString("latin1"));
    });
    const output = () => printed.join("");
    await sink.until(() => output().includes("READY"));
    const sent: Sent[] = [];
    let frames = 0;

    /** One unit: a mark that names it, a body of escape sequences and of paste, a mark at its end. */
    const unit = (from: string, n: number) => {
      const sequences = "\x1b[1;5A\x1bOP\x1b[200~".repeat(1 + roll(3));
      const size = [3, 40, 700, 6_000][roll(4)] ?? 3;
      const body = roll(40) === 0 ? 60_000 : 1 + roll(size);
      return `<${from}${n}:${sequences}${from.repeat(body)}\x1b[201~>`;
    };

    /** Of two people one at a time: two frames of another would take the keyboard amid a unit, as they should. */
    let turn = Promise.resolve();
    const inTurn = (act: () => Promise<void>) => {
      turn = turn.then(act);
      return turn;
    };
    /** One to three frames, cut anywhere: in a sequence, in a paste, and between the two bytes of its end. */
    const framesOf = (whole: string) => {
      const cuts = [0, 0, roll(12), roll(whole.length)].slice(roll(4)).concat(whole.length);
      const places = [...new Set([0, ...cuts])].sort((a, b) => a - b);
      return places.slice(1).map((to, index) => Buffer.from(whole.slice(places[index], to)));
    };

    const person = async (actor: Actor) => {
      const errors = new MemorySink();
      const attachment = session.port(actor).attach(errors, { readonly: false });
      for (let n = 0; n < 250; n++) {
        const whole = unit(actor.id, n);
        const one: Sent = { from: actor.id, whole, outcome: "accepted" };
        sent.push(one);
        await inTurn(async () => {
          for (const [index, frame] of framesOf(whole).entries()) {
            const before = errors.messages("error").length;
            attachment.typed(frame);
            // The first may be swallowed (LS9): then none is typed.
            if (errors.messages("error").length > before) {
              expect(index).toBe(0);
              one.outcome = "refused";
              break;
            }
            frames += 1;
            await new Promise((resolve) => setTimeout(resolve, roll(2)));
          }
          if (roll(2) !== 0) return;
          attachment.keyboard("hand_back");
          await new Promise((resolve) => setTimeout(resolve, roll(12)));
        });
        await new Promise((resolve) => setTimeout(resolve, roll(6)));
      }
      attachment.keyboard("hand_back");
      attachment.dispose();
    };

    const codes = new Map<string, number>();
    const agent = async (actor: Actor) => {
      const port = session.port(actor);
      const writes: Promise<void>[] = [];
      for (let n = 0; n < 250; n++) {
        // Text, an Enter after a pause, and more text: the unit may end at the pauses.
        const [first, second] = [unit(actor.id, n), unit(actor.id, n)];
        const items: InputItem[] =
          roll(2) === 0
            ? [{ raw: first }]
            : [{ text: "" }, { raw: first }, { text: "~" }, { key: "Enter" }, { raw: second }];
        const isLong = items.length > 1;
        const whole = isLong ? `${first}~\r${second}` : first;
        const one: Sent = { from: actor.id, whole, outcome: "unknown" };
        sent.push(one);
        writes.push(
          port.write(items, { gapMs: 2, ifDraft: "keep" }).then(
            () => {
              one.outcome = "accepted";
            },
            (error) => {
              if (!(error instanceof TermError)) throw error;
              one.outcome = "refused";
              const { delivered } = (error.extra.members ?? {}) as {
                delivered?: { bytes: number };
              };
              one.delivered = delivered?.bytes ?? 0;
              codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
            },
          ),
        );
        await new Promise((resolve) => setTimeout(resolve, roll(12)));
      }
      await Promise.all(writes);
    };

    await Promise.all([...people.map(person), ...agents.map(agent)]);
    session.port(people[0]).keyboard("take_over");
    await session.port(people[0]).write([{ raw: "THE END" }]);
    const hexEnd = Buffer.from("THE END").toString("hex");
    const hex = () =>
      output()
        .split("READY")[1]
        ?.replaceAll(/[^0-9a-f]/g, "") ?? "";
    await sink.until(() => hex().endsWith(hexEnd));

    // Taken apart from the front: at each place stands one unit, or an agent's up to where a person took the keyboard, and what it owed then.
    let rest = Buffer.from(hex().slice(0, -hexEnd.length), "hex").toString("latin1");
    const arrived = new Set<Sent>();
    const cuts: Sent[] = [];
    while (rest !== "") {
      const mark = /^<([ABxy]\d+):/.exec(rest)?.[0] ?? "none";
      const here = sent.find(({ whole }) => whole.startsWith(mark));
      expect(here, `what stands at ${JSON.stringify(rest.slice(0, 40))}`).toBeDefined();
      if (!here) break;
      arrived.add(here);
      if (rest.startsWith(here.whole)) {
        rest = rest.slice(here.whole.length);
        continue;
      }
      expect(here.from, `the whole of ${mark}`).toMatch(/[xy]/);
      // Only a person's taking cuts an agent's unit short.
      const end = endOfCut(here, rest);
      expect(end, `a cut that is ended behind ${mark}`).toBeGreaterThan(0);
      cuts.push(here);
      rest = rest.slice(end);
    }
    expect(sent).toHaveLength(1_000);
    for (const one of sent) {
      const isThere = one.outcome === "accepted" || (one.delivered ?? 0) > 0;
      expect([one.whole.slice(0, 6), arrived.has(one)]).toEqual([one.whole.slice(0, 6), isThere]);
    }
    expect(frames).toBeGreaterThan(600);
    expect(sent.filter(({ whole }) => whole.length > 60_000).length).toBeGreaterThan(10);
    // It was a fight: all of this happened.
    expect(
      sent.filter(({ from, outcome }) => /[xy]/.test(from) && outcome === "accepted").length,
    ).toBeGreaterThan(50);
    expect(
      sent.filter(({ from, outcome }) => /[AB]/.test(from) && outcome === "accepted").length,
    ).toBeGreaterThan(250);
    expect(codes.get("DRAFT_PENDING") ?? 0).toBeGreaterThan(20);
    expect(codes.get("LEASE_LOST") ?? 0).toBeGreaterThan(0);
    expect(cuts.length).toBeGreaterThan(0);
  }, 120_000);
});
