// What describes this server to programs: /openapi.json, /llms.txt, and the root for who asks for markdown (OP6). Public: nothing in them
// depends on who asks or on what runs here.
import type { IncomingMessage, ServerResponse } from "node:http";
import { agentGuide } from "#lib/protocol/documents/guide.ts";
import { openApiDocument } from "#lib/protocol/documents/openapi.ts";
import { version } from "#server/state/version.ts";
import { securityHeaders } from "./security-headers.ts";

/** Where programs find their way from any answer (RFC 8288, RFC 8631). */
export const discoveryLinks =
  '</openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="service-doc"; type="text/markdown"';

let openApi: string | null = null;

/** `pathname`: of a document's route, or "/" for the guide. `origin`: how the caller reached this server; the gate has checked it. */
export function sendDocument(
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): void {
  const isOpenApi = pathname === "/openapi.json";
  if (isOpenApi) openApi ??= JSON.stringify(openApiDocument(version));
  const body = isOpenApi && openApi !== null ? openApi : agentGuide(origin);
  response.writeHead(200, {
    ...securityHeaders(),
    "content-type": isOpenApi ? "application/json" : "text/markdown; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-cache",
    link: discoveryLinks,
    vary: "accept",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A program that reads markdown rather than pages: named first, or named where HTML is not. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (!accept || !/\btext\/markdown\b/i.test(accept)) return false;
  const html = accept.search(/\btext\/html\b/i);
  return html < 0 || accept.search(/\btext\/markdown\b/i) < html;
}
