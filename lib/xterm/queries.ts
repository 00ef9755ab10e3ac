// Keeps the browser's terminal from answering: the server's screen is the only responder (SC3), and an answer from here would be
// typed into the program a second time. Also takes OSC 52, which only the page may act on (SE8).
import type { IDisposable, IFunctionIdentifier, IParser } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";

/** Sequences that are nothing but questions. */
const csiQueries: readonly IFunctionIdentifier[] = [
  { final: "c" }, // DA1
  { prefix: ">", final: "c" }, // DA2
  { prefix: "=", final: "c" }, // DA3
  { final: "n" }, // DSR, CPR
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" }, // DECRQM
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" }, // XTVERSION
  { prefix: "?", final: "u" }, // kitty keyboard
  { prefix: "?", final: "m" }, // XTQMODKEYS
  { prefix: "?", final: "S" }, // XTSMGRAPHICS
  { final: "x" }, // DECREQTPARM
  { intermediates: "$", final: "w" }, // DECRQPSR
  { intermediates: "*", final: "y" }, // DECRQCRA
];

const dcsQueries: readonly IFunctionIdentifier[] = [
  { intermediates: "$", final: "q" }, // DECRQSS
  { intermediates: "+", final: "q" }, // XTGETTCAP
];

/** CSI n t that report; the others (push and pop of the title) stay with the terminal. */
const windowReports: ReadonlySet<number> = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21]);

/** OSC numbers whose string sets colours or, with `?` in place of one, asks for them. */
const colours: readonly number[] = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

export interface ClipboardWrite {
  /** Which selections: letters of `cpqs0-7`, may be empty. */
  selection: string;
  text: string;
}

/**
 * Silences `terminal` until disposed. ENQ cannot be intercepted, and xterm has no answer to it. `onClipboardWrite` gets what a program
 * wants on the clipboard; reading is never offered. Call before the first write.
 */
export function silenceQueries(
  terminal: { readonly parser: IParser },
  onClipboardWrite?: (write: ClipboardWrite) => void,
): Disposable {
  const { parser } = terminal;
  const store = new DisposableStore();
  const own = (registration: IDisposable) => {
    store.add(registration);
  };
  for (const id of csiQueries) own(parser.registerCsiHandler(id, () => true));
  for (const id of dcsQueries) own(parser.registerDcsHandler(id, () => true));
  own(parser.registerCsiHandler({ final: "t" }, (params) => windowReports.has(Number(params[0]))));
  for (const number of colours) {
    // A string that sets and asks at once is swallowed whole: nothing can be taken out of it here.
    own(parser.registerOscHandler(number, (data) => data.split(";").includes("?")));
  }
  own(
    parser.registerOscHandler(52, (data) => {
      const write = clipboardWrite(data);
      if (write) onClipboardWrite?.(write);
      return true;
    }),
  );
  return store;
}

function clipboardWrite(data: string): ClipboardWrite | undefined {
  const match = /^([cpqs0-7]*);([A-Za-z0-9+/]+={0,2})$/.exec(data);
  if (!match?.[2]) return undefined;
  try {
    const bytes = Uint8Array.from(atob(match[2]), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { selection: match[1] ?? "", text };
  } catch {
    // Not base64, or not text: nothing a person could be asked about.
    return undefined;
  }
}
