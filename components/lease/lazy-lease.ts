// What of the keyboard's dialogs is not needed to draw the page: loaded when first opened.
import { part } from "#components/ui/part.ts";

export const AnswerSheet = part(() => import("./answer-sheet.tsx"));
export const KeyboardSettings = part(() => import("./keyboard-settings.tsx"));
export const AgentView = part(() => import("./agent-view.tsx"));
export const WritesDialog = part(() => import("./writes-dialog.tsx"));
export const AuditDialog = part(() => import("./audit-dialog.tsx"));
