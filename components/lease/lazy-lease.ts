// What of the keyboard's dialogs is not needed to draw the page: loaded when first opened.
import { lazy } from "react";

export const AnswerSheet = lazy(() => import("./answer-sheet.tsx"));
export const KeyboardSettings = lazy(() => import("./keyboard-settings.tsx"));
export const AgentView = lazy(() => import("./agent-view.tsx"));
export const WritesDialog = lazy(() => import("./writes-dialog.tsx"));
export const AuditDialog = lazy(() => import("./audit-dialog.tsx"));
