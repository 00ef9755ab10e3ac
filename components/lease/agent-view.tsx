"use client";
// Over the terminal: exactly the text that an agent last received from this session, how old it is and what it asked.
import { Bot, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "#components/dashboard/app-context.tsx";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { AgentView as View } from "#lib/protocol/writes.ts";
import type { AgentSeen } from "#lib/xterm/whose-hands.ts";

type Loaded = { kind: "loading" } | { kind: "failed" } | { kind: "there"; view: View | null };

/** `agent`: each of its looks makes the text here old. */
export default function AgentView({ id, agent }: { id: string; agent: AgentSeen | null }) {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.view;
  const root = useRef<HTMLElement>(null);
  const [loaded, setLoaded] = useState<Loaded>({ kind: "loading" });
  const now = useNow(1_000);
  const close = () => {
    app.ui.setState({ agentView: null });
    app.focusTerminal(id);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again whenever the agent did something.
  useEffect(() => {
    let isCurrent = true;
    app.api.readAgentView({ params: { id } }).then(
      ({ view }) => isCurrent && setLoaded({ kind: "there", view }),
      () => isCurrent && setLoaded({ kind: "failed" }),
    );
    return () => {
      isCurrent = false;
    };
  }, [app, id, agent?.lookedMs, agent?.typedMs, agent?.waitsMs]);
  useEffect(() => root.current?.focus(), []);

  const view = loaded.kind === "there" ? loaded.view : null;
  return (
    <section
      ref={root}
      tabIndex={-1}
      aria-label={words.label}
      data-agent-view
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
      className="absolute inset-0 z-20 flex flex-col bg-bg-0 outline-none"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-line border-b bg-viewing-fill px-3 text-caption pointer-coarse:h-13">
        <Bot size={14} strokeWidth={2} aria-hidden className="shrink-0 text-viewing" />
        <h2 className="shrink-0 font-semibold text-viewing nowrap">
          {words.title(view?.agent.name ?? agent?.name ?? "")}
        </h2>
        <span className="min-w-0 flex-1 truncate text-text-2 tnum">
          {view
            ? words.age(
                view.agent.name,
                words.from[view.from],
                s.format.ago(now - Date.parse(view.at)),
              )
            : null}
          {view?.request ? ` · ${s.keyboard.history.request(view.request)}` : null}
          {view?.truncated ? ` · ${words.truncated}` : null}
        </span>
        <IconButton label={words.close} keys="Alt+Shift+E" onClick={close}>
          <X size={16} strokeWidth={1.75} />
        </IconButton>
      </header>
      {view ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
          tabIndex={0}
          className="focus-inset min-h-0 flex-1 overflow-auto whitespace-pre-wrap break-words p-3 font-mono text-body text-text-1"
        >
          {view.text}
        </pre>
      ) : (
        <p className="p-4 text-text-2">
          {loaded.kind === "failed"
            ? words.failed
            : loaded.kind === "there"
              ? words.none
              : s.common.loading}
        </p>
      )}
    </section>
  );
}
