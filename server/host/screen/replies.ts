// The terminal's own answers (SC3): what the library answers itself, what it leaves unanswered and what it gets wrong. An answer is a
// constant or numbers in a fixed form; nothing of a request's text ever goes back (T86).
import type { Terminal } from "@xterm/headless";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import { penLook, sgrParameters } from "./cell-pen.ts";
import type { Palette } from "./palette.ts";
import { cursorShape } from "./state-writer.ts";
import { coreOf } from "./xterm-internals.ts";

/** DECRQSS's form of the parameters: colours with colons, as programs that look for 24-bit colour expect them (neovim, vim). */
function reportedSgr(parameters: readonly string[]): string {
  return ["0", ...parameters]
    .map((part) =>
      part
        .replace(/^([345]8);2;(\d+);(\d+);(\d+)$/, "$1:2::$2:$3:$4")
        .replace(/^([345]8);5;(\d+)$/, "$1:5:$2"),
    )
    .join(";");
}

/** Installs the answers on `terminal`; each goes to `reply` at its exact place in the stream. */
export function answerQueries(
  terminal: Terminal,
  palette: Palette,
  reply: (text: string) => void,
): DisposableStore {
  const store = new DisposableStore();
  const core = coreOf(terminal);
  const { parser } = terminal;

  // DA1, DA2, DSR, DECRQM, the other DECRQSS and the size in cells (CSI 18 t) are the library's. Text it "types" is empty when it
  // is our own call that makes the next write happen at once.
  store.add(
    terminal.onData((data) => {
      if (data !== "") reply(data);
    }),
  );

  // Colours: the library parses and leaves the answer to its host.
  core._inputHandler.onColor((events) => {
    for (const event of events) {
      if (event.type === 0 && event.index !== undefined) reply(palette.report(event.index));
      else if (event.type === 1 && event.index !== undefined && event.color)
        palette.set(event.index, event.color);
      else if (event.type === 2) palette.restore(event.index);
    }
  });

  // CPR: the library forgets origin mode (B037) and counts a column too far while a wrap is pending.
  const position = () => {
    const buffer = core.buffers.active;
    const top = core.coreService.decPrivateModes.origin ? buffer.scrollTop : 0;
    return `${Math.max(buffer.y - top, 0) + 1};${Math.min(buffer.x, terminal.cols - 1) + 1}`;
  };
  const onCpr = (prefix: string) => (params: (number | number[])[]) => {
    if (params[0] !== 6) return false;
    reply(`\x1b[${prefix}${position()}R`);
    return true;
  };
  store.add(parser.registerCsiHandler({ final: "n" }, onCpr("")));
  store.add(parser.registerCsiHandler({ prefix: "?", final: "n" }, onCpr("?")));

  // DA3: a unit id of zeros, as xterm.
  store.add(
    parser.registerCsiHandler({ prefix: "=", final: "c" }, (params) => {
      if (params[0] === 0) reply("\x1bP!|00000000\x1b\\");
      return true;
    }),
  );
  // XTVERSION: programs know this name and what it can do.
  store.add(
    parser.registerCsiHandler({ prefix: ">", final: "q" }, (params) => {
      if (params[0] === 0) reply("\x1bP>|xterm.js(6.0.0)\x1b\\");
      return true;
    }),
  );
  // Kitty keyboard: no flags are set, none can be.
  store.add(
    parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
      reply("\x1b[?0u");
      return true;
    }),
  );
  // XTGETTCAP: "not known", so that nobody waits for it.
  store.add(
    parser.registerDcsHandler({ intermediates: "+", final: "q" }, () => {
      reply("\x1bP0+r\x1b\\");
      return true;
    }),
  );
  // DECRQSS of SGR and DECSCUSR: the library answers constants.
  store.add(
    parser.registerDcsHandler({ intermediates: "$", final: "q" }, (data) => {
      if (data === "m") {
        const sgr = reportedSgr(sgrParameters(penLook(core._inputHandler._curAttrData)));
        reply(`\x1bP1$r${sgr}m\x1b\\`);
        return true;
      }
      if (data === " q") {
        reply(`\x1bP1$r${cursorShape(core)} q\x1b\\`);
        return true;
      }
      return false;
    }),
  );
  return store;
}
