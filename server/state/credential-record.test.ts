import { describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type TokenRecord, tokenRecordSchema } from "./credential-record.ts";
import { newCredentialId, secretHash } from "./credential-secret.ts";

describe("the record of a token", () => {
  it("[LM] names sessions up to the limit: the list travels in a header", () => {
    const of = (sessions: number): TokenRecord => ({
      kind: "token",
      id: newCredentialId(),
      name: "bot",
      role: "agent",
      sessions: Array.from({ length: sessions }, () => newSessionId()),
      hash: secretHash("x"),
      createdAt: Date.now(),
      expiresAt: null,
    });
    expect(tokenRecordSchema.safeParse(of(limits.sessionsPerToken)).error).toBeUndefined();
    expect(tokenRecordSchema.safeParse(of(limits.sessionsPerToken + 1)).success).toBe(false);
  });
});
