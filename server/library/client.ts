// `cotty`: what the package shows of the client. The names here are the package's promise; nothing inside imports it.
export { type ApiClient, createApiClient } from "#lib/client/api-client.ts";
export { ApiError, type ApiFailure } from "#lib/client/api-error.ts";
export { AttachClient, type AttachClientOptions } from "#lib/client/attach-client.ts";
export type { AttachState } from "#lib/client/attach-state.ts";
export type { AttachTarget } from "#lib/client/attach-target.ts";
export type { ApiClientOptions } from "#lib/client/call.ts";
export { EventStream, type EventStreamOptions } from "#lib/client/event-stream.ts";
export type { ServerMessage } from "#lib/protocol/attach.ts";
export type { ErrorCode, Problem } from "#lib/protocol/errors.ts";
export type { StreamEvent } from "#lib/protocol/events.ts";
export type { InputItem } from "#lib/protocol/input.ts";
export type { Access, Lease } from "#lib/protocol/lease.ts";
export { operations } from "#lib/protocol/operations/table.ts";
export type { ScreenReply, ScreenText } from "#lib/protocol/screen.ts";
export type { CreateSession, SessionInfo } from "#lib/protocol/session.ts";
export type { Act, ActReply, Verdict, WaitCondition, WaitRequest } from "#lib/protocol/wait.ts";
export { type Connection, type ConnectOptions, connect } from "./connect.ts";
