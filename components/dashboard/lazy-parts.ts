// What is not needed to draw the page: loaded when first opened. Next's first load is counted in kilobytes (UI, section 16).
import { lazy } from "react";

export const SessionMenuItems = lazy(() => import("./session-menu.tsx"));
export const ProfileItems = lazy(() => import("./profile-items.tsx"));
export const ConnectDialog = lazy(() => import("./connect-dialog.tsx"));
export const SettingsItems = lazy(() => import("./settings-items.tsx"));
export const ConnectionPanel = lazy(() => import("./connection-panel.tsx"));
export const EndQuestion = lazy(() => import("./end-question.tsx"));
export const EmptyWorkspace = lazy(() => import("./empty-workspace.tsx"));
export const RailSheet = lazy(() => import("./rail-sheet.tsx"));
export const Questions = lazy(() => import("#components/terminal/questions.tsx"));
export const DockItems = lazy(() => import("#components/terminal/dock-items.tsx"));
export const TabListItems = lazy(() => import("#components/terminal/tab-list-items.tsx"));
