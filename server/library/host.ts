// `cotty/host`: what the package shows of the host in the caller's process. The names here are the package's promise; nothing inside imports it.
export { type ErrorCode, type Problem, TermError } from "#lib/protocol/errors.ts";
export type { InputItem } from "#lib/protocol/input.ts";
export type { Access, Lease } from "#lib/protocol/lease.ts";
export type { ScreenText } from "#lib/protocol/screen.ts";
export type { SessionInfo } from "#lib/protocol/session.ts";
export type { Act, ActReply, Verdict, WaitCondition, WaitRequest } from "#lib/protocol/wait.ts";
export {
  type OpenTerminal,
  type Origin,
  type RegistryOptions,
  type SecretValue,
  TerminalRegistry,
} from "./registry.ts";
export type { Terminal, WriteOptions } from "./terminal.ts";
export {
  createTerminalTools,
  type TerminalTool,
  type TerminalToolResult,
  toolIndex,
} from "./tools.ts";
