// Links in output, written out or hidden behind text (OSC 8): opened with Ctrl or Cmd and a click, after the person has seen the
// true host (SE8). What is not allowed is no link.
import { WebLinksAddon } from "@xterm/addon-web-links";
import type { IBufferRange, Terminal } from "@xterm/xterm";
import { checkLink } from "#lib/terminal/link.ts";
import type { LinkQuestion } from "./terminal-status.ts";

export interface LinkHooks {
  confirm(question: LinkQuestion): Promise<boolean>;
  /** What to show while the pointer is on a link; null: no link. */
  hovered(hint: string | null): void;
}

export function enableLinks(terminal: Terminal, view: Window, hooks: LinkHooks): void {
  const open = async (event: MouseEvent, uri: string, shownText?: string) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const question = questionFor(uri, shownText);
    if (question && (await hooks.confirm(question)))
      view.open(question.url, "_blank", "noopener,noreferrer");
  };
  const hover = (_: MouseEvent, uri: string) => hooks.hovered(questionFor(uri)?.host ?? null);
  const leave = () => hooks.hovered(null);
  terminal.options.linkHandler = {
    activate: (event, uri, range) => void open(event, uri, textIn(terminal, range)),
    hover,
    leave,
    // Judged by checkLink, which knows mailto too; xterm's own rule would drop it.
    allowNonHttpProtocols: true,
  };
  terminal.loadAddon(new WebLinksAddon((event, uri) => void open(event, uri), { hover, leave }));
}

/** Null for what is no link to us. */
function questionFor(uri: string, shownText?: string): LinkQuestion | null {
  const link = checkLink(uri, shownText);
  if (!link.ok) return null;
  const warnings: LinkQuestion["warnings"][number][] = [];
  if (link.hasUserinfo) warnings.push("userinfo");
  if (link.isInternational) warnings.push("international");
  if (link.isMixedScript) warnings.push("mixed_script");
  if (link.misleading) warnings.push("misleading");
  return { url: link.href, host: link.host, warnings };
}

/** What stands on the screen; xterm counts a range's cells from 1 and includes both ends. */
function textIn(terminal: Terminal, { start, end }: IBufferRange): string {
  let text = "";
  for (let y = start.y; y <= end.y; y++) {
    const from = y === start.y ? start.x - 1 : 0;
    const to = y === end.y ? end.x : terminal.cols;
    text += terminal.buffer.active.getLine(y - 1)?.translateToString(false, from, to) ?? "";
  }
  return text.trim();
}
