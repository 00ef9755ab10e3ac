// The Content-Security-Policy of each exported page (SE6, T22): its inline scripts are allowed by hash, no other script is.
import { createHash } from "node:crypto";

const inlineScript = /<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi;

/** For everything that is not a page. */
export const bareCsp = "default-src 'none'; frame-ancestors 'none'";

export function pageCsp(html: string): string {
  const hashes = new Set(
    Array.from(html.matchAll(inlineScript), (match) => {
      const digest = createHash("sha256")
        .update(match[1] ?? "")
        .digest("base64");
      return `'sha256-${digest}'`;
    }),
  );
  return policy(["'self'", ...hashes].join(" "));
}

/** Development only: Next evaluates code and writes inline scripts of its own. */
export const devCsp = policy("'self' 'unsafe-inline' 'unsafe-eval'");

function policy(scriptSources: string): string {
  return [
    "default-src 'self'",
    `script-src ${scriptSources}`,
    // The terminal emulator writes style elements while it runs.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // Covers this server's own sockets too: CSP 3 matches ws and wss against 'self'.
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
