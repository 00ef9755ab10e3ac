// What is momentarily open on this page: never saved, never sent.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ProfilesReply } from "#lib/protocol/profiles.ts";
import type { LinkQuestion, PasteAnswer, PasteQuestion } from "#lib/xterm/terminal-status.ts";

export type Question =
  | {
      kind: "paste";
      sessionId: string;
      question: PasteQuestion;
      answer: (answer: PasteAnswer, askAgain: boolean) => void;
    }
  | { kind: "link"; sessionId: string; question: LinkQuestion; answer: (open: boolean) => void };

export type RenamePlace = "tab" | "rail" | "card";

export interface UiState {
  /** Which session's end is being asked about, and beside which element. */
  endQuestion: { id: string; anchor: Element | null } | null;
  renaming: { id: string; place: RenamePlace } | null;
  /** The session in which the search bar is open. */
  searching: string | null;
  isRailSheetOpen: boolean;
  /** The session whose list of commands is open beside its terminal. */
  journalOf: string | null;
  /** The session whose status is being explained. */
  explaining: string | null;
  /** What the overview lists. */
  overview: "sessions" | "commands";
  /** Questions of terminals, oldest first; one is shown at a time. */
  questions: readonly Question[];
  /** How often each session rang; the view flashes when the number changes. */
  bells: Readonly<Record<string, number>>;
  isConnectOpen: boolean;
  /** The session whose password prompt is answered in a field of its own. */
  answering: string | null;
  isKeyboardSettingsOpen: boolean;
  /** The session whose pane shows what an agent last received, instead of the terminal. */
  agentView: string | null;
  /** The session whose history of writes is open. */
  writesOf: string | null;
  isAuditOpen: boolean;
  /** What a new terminal may be started as, as last told; null: not asked yet. */
  profiles: ProfilesReply | null;
  /** A terminal is being started. */
  isCreating: boolean;
}

export type UiStateStore = StoreApi<UiState>;

export function createUiState(): UiStateStore {
  return createStore<UiState>()(() => ({
    endQuestion: null,
    renaming: null,
    searching: null,
    isRailSheetOpen: false,
    journalOf: null,
    explaining: null,
    overview: "sessions",
    questions: [],
    bells: {},
    isConnectOpen: false,
    answering: null,
    isKeyboardSettingsOpen: false,
    agentView: null,
    writesOf: null,
    isAuditOpen: false,
    profiles: null,
    isCreating: false,
  }));
}
