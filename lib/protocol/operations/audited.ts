// Which act of the audit an operation is (AU1). What is not here only looks; that is recorded when it is refused.
import type { AuditActName } from "../audit.ts";

const acts: Readonly<Record<string, AuditActName>> = {
  create_session: "create",
  change_session: "change",
  close_session: "close",
  resize_session: "resize",
  signal_session: "signal",
  write_input: "write",
  act: "write",
  send_mouse: "mouse",
  change_lease: "lease",
  set_access: "access",
  request_human: "request_human",
  login: "login",
  logout: "logout",
  create_token: "token",
  revoke_token: "token",
};

/** `name`: the operation's, as in the documents. */
export function auditActOf(name: string): AuditActName {
  return acts[name] ?? "look";
}
