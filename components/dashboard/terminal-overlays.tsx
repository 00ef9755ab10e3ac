"use client";
// The questions about terminals and the dialogs of the page, loaded when the first one is wanted.
import { ExplainDialog } from "#components/commands/lazy-commands.ts";
import {
  AnswerSheet,
  AuditDialog,
  KeyboardSettings,
  WritesDialog,
} from "#components/lease/lazy-lease.ts";
import { Once } from "#components/ui/once.tsx";
import { useUi } from "./app-context.tsx";
import { ConnectDialog, EndQuestion, Questions } from "./lazy-parts.ts";

export function TerminalOverlays() {
  const isEndAsked = useUi((state) => state.endQuestion !== null);
  const hasQuestions = useUi((state) => state.questions.length > 0);
  const isConnectOpen = useUi((state) => state.isConnectOpen);
  const isExplaining = useUi((state) => state.explaining !== null);
  const isAnswering = useUi((state) => state.answering !== null);
  const isKeyboardOpen = useUi((state) => state.isKeyboardSettingsOpen);
  const hasWrites = useUi((state) => state.writesOf !== null);
  const isAuditOpen = useUi((state) => state.isAuditOpen);
  return (
    <>
      <Once when={isAnswering}>
        <AnswerSheet />
      </Once>
      <Once when={isKeyboardOpen}>
        <KeyboardSettings />
      </Once>
      <Once when={hasWrites}>
        <WritesDialog />
      </Once>
      <Once when={isAuditOpen}>
        <AuditDialog />
      </Once>
      <Once when={isExplaining}>
        <ExplainDialog />
      </Once>
      <Once when={isConnectOpen}>
        <ConnectDialog />
      </Once>
      <Once when={isEndAsked}>
        <EndQuestion />
      </Once>
      <Once when={hasQuestions}>
        <Questions />
      </Once>
    </>
  );
}
