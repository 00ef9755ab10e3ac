// Loaded with the first terminal that has commands, or the first list of them: the first page needs none of it.
import { part } from "#components/ui/part.ts";

export const CommandLayer = part(() => import("./command-layer.tsx"));
export const CommandMenuItems = part(() => import("./command-menu-items.tsx"));
export const SessionJournal = part(() => import("./session-journal.tsx"));
export const AllJournal = part(() => import("./all-journal.tsx"));
export const ExplainDialog = part(() => import("./explain-dialog.tsx"));
