import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { createCredentialFile } from "./credential-file.ts";
import { newCredentialId } from "./credential-secret.ts";
import {
  type CredentialStore,
  createLoginCode,
  createToken,
  exchangeLoginCode,
  isCredentialLive,
  listLogins,
  listTokens,
  revokeCredential,
  sweepCredentials,
  verifyLogin,
  verifyLoginCookie,
  verifyToken,
} from "./credential-store.ts";

let store: CredentialStore & { clock: FakeClock };
beforeEach(() => {
  store = { folder: mkdtempSync(join(tmpdir(), "cotty-cred-")), clock: new FakeClock() };
});
afterEach(() => rmSync(store.folder, { recursive: true, force: true }));

const files = () => readdirSync(store.folder).map((name) => join(store.folder, name));
function signIn() {
  const login = exchangeLoginCode(store, createLoginCode(store, { name: "Olga" }).code);
  if (!login) throw new Error("the code did not open a login");
  return login;
}

describe("tokens", () => {
  it("[SE4] a token names its role, has its own id and is known again by its whole text only", () => {
    const sessions = [newSessionId()];
    const made = createToken(store, { role: "agent", name: "bot", sessions });
    expect(made.token).toMatch(/^cot_agt_[a-z2-7]{16}_[a-z2-7]{52}$/);
    expect(createToken(store, { role: "owner", name: "o" }).token).toMatch(/^cot_own_/);
    expect(createToken(store, { role: "viewer", name: "v" }).token).toMatch(/^cot_vwr_/);
    expect(verifyToken(store, made.token)).toMatchObject({ role: "agent", name: "bot", sessions });
    for (let at = 0; at < made.token.length; at += 1) {
      const changed = made.token[at] === "a" ? "b" : "a";
      const wrong = made.token.slice(0, at) + changed + made.token.slice(at + 1);
      expect(verifyToken(store, wrong), `character ${at}`).toBeNull();
    }
    expect(verifyToken(store, made.token.replace("cot_agt", "cot_own"))).toBeNull();
  });

  it("[T33] malformed tokens are refused without an exception", () => {
    const odd = [
      "",
      "x",
      "\0",
      "cot_agt_",
      "a".repeat(1 << 20),
      "cot_agt_../../etc_passwd",
      "\ud800",
    ];
    for (const token of odd) expect(verifyToken(store, token)).toBeNull();
  });

  it("[T36] no string found in the state directory opens anything, and no secret is in it", () => {
    const { token } = createToken(store, { role: "owner", name: "o" });
    const login = signIn();
    const { code } = createLoginCode(store, { name: "Olga" });
    const text = files()
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    for (const secret of [token, login.cookie, login.key, code])
      expect(text).not.toContain(secret.slice(-52));
    for (const [word] of text.matchAll(/[A-Za-z0-9_-]{8,}/g)) {
      expect(verifyToken(store, word)).toBeNull();
      expect(verifyToken(store, `cot_own_${word}`)).toBeNull();
      expect(verifyLogin(store, word, word)).toBeNull();
      expect(exchangeLoginCode(store, word)).toBeNull();
    }
  });

  it("[SE5] files are 0600; one that others can read, a link or a pipe opens nothing", () => {
    const { token, record } = createToken(store, { role: "owner", name: "o" });
    const file = join(store.folder, `token-${record.id}.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    expect(verifyToken(store, token)).toBeNull();
    chmodSync(file, 0o600);
    const elsewhere = mkdtempSync(join(tmpdir(), "cotty-else-"));
    writeFileSync(join(elsewhere, "x"), readFileSync(file), { mode: 0o600 });
    rmSync(file);
    symlinkSync(join(elsewhere, "x"), file);
    expect(verifyToken(store, token)).toBeNull();
    rmSync(elsewhere, { recursive: true });
  });

  it("[T10C] a planted link or file of that name stops the creation and is not written through", () => {
    const { record } = createToken(store, { role: "owner", name: "o" });
    const id = newCredentialId();
    const victim = join(store.folder, "victim");
    writeFileSync(victim, "kept", { mode: 0o600 });
    symlinkSync(victim, join(store.folder, `token-${id}.json`));
    expect(() => createCredentialFile(store.folder, { ...record, id })).toThrow(/EEXIST/);
    expect(() => createCredentialFile(store.folder, record)).toThrow(/EEXIST/);
    expect(readFileSync(victim, "utf8")).toBe("kept");
    expect(() => createCredentialFile(store.folder, { ...record, id: "../x" })).toThrow(
      /invariant/,
    );
  });

  it("[C-Z6] every truncation and every flipped bit of a token's file opens nothing more than before", () => {
    const { token, record } = createToken(store, { role: "viewer", name: "v" });
    const file = join(store.folder, `token-${record.id}.json`);
    const whole = readFileSync(file);
    for (let length = 0; length < whole.length - 2; length += 1) {
      writeFileSync(file, whole.subarray(0, length));
      expect(verifyToken(store, token), `cut at ${length}`).toBeNull();
    }
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(file, flipped);
      const verified = verifyToken(store, token);
      if (verified) expect(verified.role, `bit ${bit}`).toBe("viewer");
    }
    expect(() => listTokens(store)).not.toThrow();
  });

  it("[C-C1] an expired token is refused, and a clock set back does not revive it", () => {
    const made = createToken(store, { role: "agent", name: "bot", ttlMs: 1_000 });
    store.clock.advance(999);
    expect(verifyToken(store, made.token)).not.toBeNull();
    store.clock.advance(1);
    expect(verifyToken(store, made.token)).toBeNull();
    const earlier = { folder: store.folder, clock: new FakeClock(store.clock.now() - 500) };
    expect(verifyToken(earlier, made.token)).toBeNull();
  });

  it("[SE4] tokens are listed oldest first and revoked by id, once", () => {
    const first = createToken(store, { role: "agent", name: "first" });
    store.clock.advance(10);
    const second = createToken(store, { role: "agent", name: "second" });
    expect(listTokens(store).map(({ name }) => name)).toEqual(["first", "second"]);
    expect(revokeCredential(store, first.record.id)).toBe(true);
    expect(revokeCredential(store, first.record.id)).toBe(false);
    expect(revokeCredential(store, "../../etc/passwd")).toBe(false);
    expect(verifyToken(store, first.token)).toBeNull();
    expect(isCredentialLive(store, "token", second.record.id)).toBe(true);
  });
});

describe("logins", () => {
  it("[SE3] a code opens one login within 120 s and is worth nothing afterwards", () => {
    const { code } = createLoginCode(store, { name: "Olga" });
    const login = exchangeLoginCode(store, code);
    expect(login?.record).toMatchObject({ role: "owner", name: "Olga" });
    expect(exchangeLoginCode(store, code)).toBeNull();
    const late = createLoginCode(store, { name: "Olga" });
    store.clock.advance(limits.loginCodeMs);
    expect(exchangeLoginCode(store, late.code)).toBeNull();
    expect(exchangeLoginCode(store, late.code.replace(/.$/, "7"))).toBeNull();
  });

  it("[T40] cookie and key belong together", () => {
    const [one, two] = [signIn(), signIn()];
    expect(verifyLogin(store, one.cookie, one.key)?.id).toBe(one.record.id);
    expect(verifyLogin(store, one.cookie, two.key)).toBeNull();
    expect(verifyLogin(store, two.cookie, one.key)).toBeNull();
    expect(verifyLoginCookie(store, one.cookie)?.id).toBe(one.record.id);
    expect(listLogins(store)).toHaveLength(2);
  });

  it("[T42] a login ends after 12 h without use and 7 days in all", () => {
    const idle = signIn();
    store.clock.advance(limits.loginIdleMs - 1);
    expect(isCredentialLive(store, "login", idle.record.id)).toBe(true);
    store.clock.advance(1);
    expect(verifyLogin(store, idle.cookie, idle.key)).toBeNull();

    const used = signIn();
    for (let passed = 0; passed + 3_600_000 < limits.loginAbsoluteMs; passed += 3_600_000) {
      store.clock.advance(3_600_000);
      expect(verifyLogin(store, used.cookie, used.key), `after ${passed}`).not.toBeNull();
    }
    store.clock.advance(3_600_000);
    expect(verifyLogin(store, used.cookie, used.key)).toBeNull();
  });

  it("the sweep removes what has expired and nothing else", () => {
    createLoginCode(store, { name: "Olga" });
    createToken(store, { role: "agent", name: "old", ttlMs: 1 });
    createToken(store, { role: "agent", name: "kept" });
    writeFileSync(join(store.folder, "token-nonsense.json"), "x");
    signIn();
    store.clock.advance(limits.loginCodeMs);
    sweepCredentials(store);
    expect(files()).toHaveLength(3);
    store.clock.advance(limits.loginAbsoluteMs);
    sweepCredentials(store);
    expect(listTokens(store).map(({ name }) => name)).toEqual(["kept"]);
    expect(files()).toHaveLength(2);
  });
});
