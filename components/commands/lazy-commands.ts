// Loaded with the first terminal that has commands, or the first list of them: the first page needs none of it.
import { lazy } from "react";

export const CommandLayer = lazy(() => import("./command-layer.tsx"));
export const CommandMenuItems = lazy(() => import("./command-menu-items.tsx"));
export const SessionJournal = lazy(() => import("./session-journal.tsx"));
export const AllJournal = lazy(() => import("./all-journal.tsx"));
export const ExplainDialog = lazy(() => import("./explain-dialog.tsx"));
