"use client";
// Find in a terminal: 320 px over its top right corner. Enter goes on, Shift+Enter goes back, Escape leaves.
import { CaseSensitive, ChevronDown, ChevronUp, Regex, WholeWord, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useApp, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { SearchOptions, SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { useTerminalSnapshot } from "./use-terminal.ts";

export function SearchBar({ terminal }: { terminal: SessionTerminal }) {
  const isOpen = useUi((state) => state.searching === terminal.sessionId);
  return isOpen ? <OpenSearchBar terminal={terminal} /> : null;
}

function OpenSearchBar({ terminal }: { terminal: SessionTerminal }) {
  const app = useApp();
  const s = useStrings();
  const field = useRef<HTMLInputElement>(null);
  const [term, setTerm] = useState("");
  const [options, setOptions] = useState<SearchOptions>({
    regex: false,
    caseSensitive: false,
    wholeWord: false,
  });
  const { search } = useTerminalSnapshot(terminal);

  useEffect(() => {
    field.current?.focus();
    return () => terminal.endFind();
  }, [terminal]);
  useEffect(() => {
    terminal.find(term, options, 0);
  }, [terminal, term, options]);

  const go = (direction: 1 | -1) => terminal.find(term, options, direction);
  const close = () => {
    app.ui.setState({ searching: null });
    terminal.focus();
  };
  const toggle = (key: keyof SearchOptions) =>
    setOptions((before) => ({ ...before, [key]: !before[key] }));

  const result = () => {
    if (term === "" || !search) return "";
    if (search.error !== null) return s.search.badRegex;
    if (search.count === 0) return s.search.none;
    return search.index < 0
      ? s.search.many(search.count)
      : s.search.count(search.index + 1, search.count);
  };
  const isBad = term !== "" && search !== null && (search.error !== null || search.count === 0);

  return (
    <search
      aria-label={s.search.label}
      className="rise absolute top-2 right-3 z-10 w-[320px] max-w-[calc(100%-24px)] rounded-card border border-line bg-bg-1 p-1.5 shadow-2"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <div className="flex items-center gap-1">
        <input
          ref={field}
          value={term}
          onChange={(event) => setTerm(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }}
          aria-label={s.search.label}
          aria-invalid={isBad || undefined}
          placeholder={s.search.placeholder}
          spellCheck={false}
          autoComplete="off"
          className="focus-inset h-7 min-w-0 flex-1 rounded-control border border-line-strong bg-bg-0 px-2 font-mono text-caption text-text-1 aria-invalid:border-danger pointer-coarse:text-[16px]"
        />
        <IconButton label={s.search.previous} keys="Shift+Enter" onClick={() => go(-1)}>
          <ChevronUp size={16} strokeWidth={1.75} />
        </IconButton>
        <IconButton label={s.search.next} keys="Enter" onClick={() => go(1)}>
          <ChevronDown size={16} strokeWidth={1.75} />
        </IconButton>
        <IconButton label={s.search.close} keys="Esc" onClick={close}>
          <X size={16} strokeWidth={1.75} />
        </IconButton>
      </div>
      <div className="mt-1 flex items-center gap-0.5">
        <Option
          label={s.search.matchCase}
          isOn={options.caseSensitive}
          onPress={() => toggle("caseSensitive")}
        >
          <CaseSensitive size={16} strokeWidth={1.75} />
        </Option>
        <Option
          label={s.search.wholeWord}
          isOn={options.wholeWord}
          onPress={() => toggle("wholeWord")}
        >
          <WholeWord size={16} strokeWidth={1.75} />
        </Option>
        <Option label={s.search.regex} isOn={options.regex} onPress={() => toggle("regex")}>
          <Regex size={16} strokeWidth={1.75} />
        </Option>
        <output
          className={`ml-auto pr-1.5 text-caption nowrap tnum ${isBad ? "text-danger" : "text-text-3"}`}
        >
          {result()}
        </output>
      </div>
    </search>
  );
}

function Option(props: { label: string; isOn: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <IconButton
      label={props.label}
      aria-pressed={props.isOn}
      onClick={props.onPress}
      className="aria-pressed:text-accent"
    >
      {props.children}
    </IconButton>
  );
}
