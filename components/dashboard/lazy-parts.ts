// What is not needed to draw the page: loaded when first opened. Next's first load is counted in kilobytes (UI, section 16).
import { part } from "#components/ui/part.ts";

export const SessionMenuItems = part(() => import("./session-menu.tsx"));
export const ProfileItems = part(() => import("./profile-items.tsx"));
export const ConnectDialog = part(() => import("./connect-dialog.tsx"));
export const SettingsItems = part(() => import("./settings-items.tsx"));
export const ConnectionPanel = part(() => import("./connection-panel.tsx"));
export const EndQuestion = part(() => import("./end-question.tsx"));
export const EmptyWorkspace = part(() => import("./empty-workspace.tsx"));
export const RailSheet = part(() => import("./rail-sheet.tsx"));
export const Questions = part(() => import("#components/terminal/questions.tsx"));
export const DockItems = part(() => import("#components/terminal/dock-items.tsx"));
export const TabListItems = part(() => import("#components/terminal/tab-list-items.tsx"));
