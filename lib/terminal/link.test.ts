import { describe, expect, it } from "vitest";
import { checkLink } from "./link.ts";

describe("checkLink", () => {
  it("[SE8] http, https and mailto are allowed, with the true host", () => {
    expect(checkLink("https://example.org:8080/a?b#c")).toMatchObject({
      ok: true,
      href: "https://example.org:8080/a?b#c",
      host: "example.org:8080",
      hasUserinfo: false,
      isInternational: false,
      misleading: false,
    });
    expect(checkLink("HTTP://Example.ORG")).toMatchObject({ ok: true, host: "example.org" });
    expect(checkLink("mailto:a@example.org?subject=x")).toMatchObject({
      ok: true,
      host: "a@example.org",
    });
  });

  it("[T84] other schemes are refused", () => {
    const refused = [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vscode://x",
      "ftp://e",
      "blob:http://e/1",
      "view-source:http://e",
      "ssh://e",
      "about:blank",
    ];
    for (const uri of refused) expect(checkLink(uri)).toEqual({ ok: false, reason: "scheme" });
    for (const uri of [
      "",
      "example.org",
      "//example.org",
      "/path",
      "http:/e",
      "http:e",
      "https://",
      "http://[",
      "http://a b/",
    ]) {
      expect(checkLink(uri)).toEqual({ ok: false, reason: "malformed" });
    }
  });

  it("[T84] control and invisible characters, and more than 2,083 characters, are refused", () => {
    for (const uri of [
      "http://e/\n",
      "java\tscript:x",
      "http://e/\x1b",
      "http://e/\u0085",
      "http://e/\u202e",
      "http://e\u200b.org/",
    ]) {
      expect(checkLink(uri)).toEqual({ ok: false, reason: "control_characters" });
    }
    const base = "http://e/";
    expect(checkLink(base + "x".repeat(2083 - base.length)).ok).toBe(true);
    expect(checkLink(base + "x".repeat(2084 - base.length))).toEqual({
      ok: false,
      reason: "too_long",
    });
  });

  it("[T84] userinfo is flagged and the host behind it told", () => {
    expect(checkLink("https://google.com@evil.example/")).toMatchObject({
      host: "evil.example",
      hasUserinfo: true,
    });
    expect(checkLink("https://google.com:pass@evil.example/")).toMatchObject({
      host: "evil.example",
      hasUserinfo: true,
    });
    expect(checkLink("https://google.com\\@evil.example/")).toMatchObject({
      host: "google.com",
      hasUserinfo: false,
    });
  });

  it("[T84] a host with letters outside ASCII is told as what it resolves to", () => {
    expect(checkLink("https://аpple.com/")).toMatchObject({
      host: "xn--pple-43d.com",
      shownHost: "аpple.com",
      isInternational: true,
      isMixedScript: true,
    });
    expect(checkLink("https://xn--pple-43d.com/")).toMatchObject({
      host: "xn--pple-43d.com",
      isInternational: true,
    });
    expect(checkLink("https://bücher.example/")).toMatchObject({
      isInternational: true,
      isMixedScript: false,
    });
  });

  it("[T84] text that looks like another address misleads", () => {
    const misleading: [string, string][] = [
      ["https://evil.example/", "https://bank.example/"],
      ["https://evil.example/", "bank.example"],
      ["https://evil.example/", "www.bank.example/login"],
      ["https://evil.example/", "Visit https://bank.example now"],
      ["https://evil.example/", "user@bank.example"],
      ["https://bank.example.evil.example/", "bank.example"],
      ["https://evil.example/", "ftp://bank.example"],
      ["mailto:a@evil.example", "a@bank.example"],
      ["https://evil.example/", "bank\u202e.example"],
    ];
    for (const [uri, text] of misleading)
      expect([uri, text, checkLink(uri, text)]).toMatchObject([uri, text, { misleading: true }]);
  });

  it("[T84] text that names the same host, a file or nothing does not", () => {
    const honest: [string, string][] = [
      ["https://example.org/a/b", "https://example.org/a/…"],
      ["https://www.example.org/", "example.org"],
      ["https://example.org/", "www.EXAMPLE.org"],
      ["https://example.org/x", "click here"],
      ["https://docs.example/x", "README.md"],
      ["https://docs.example/x", "src/main.rs:10:5"],
      ["https://docs.example/x", "v1.2.3"],
      ["https://docs.example/x", "#123"],
      ["mailto:a@example.org", "a@example.org"],
      ["https://bücher.example/", "bücher.example"],
    ];
    for (const [uri, text] of honest)
      expect([uri, text, checkLink(uri, text)]).toMatchObject([uri, text, { misleading: false }]);
  });
});
