// The exported dashboard, read into memory once at start: what is not in the map does not exist, so no path can leave the folder (T135).
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { pageCsp } from "./csp.ts";
import { discoveryLinks } from "./documents.ts";
import type { SitePaths } from "./gate/route-table.ts";
import { missingSite } from "./missing-site.ts";
import { securityHeaders } from "./security-headers.ts";

const compress = promisify(gzip);
const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".map": "application/json",
};
const compressible = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/;

interface SiteFile {
  readonly status: 200 | 404 | 503;
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly isPage: boolean;
  readonly isImmutable: boolean;
  readonly csp: string | undefined;
  /** Made on first request. */
  gzipped?: Promise<Buffer>;
}

export class StaticSite implements SitePaths {
  private constructor(
    private readonly files: ReadonlyMap<string, SiteFile>,
    /** False when there is no build: every page is then one that says so. */
    readonly isBuilt: boolean,
  ) {}

  /** Holds nothing: in development every page is Next's. */
  static empty(): StaticSite {
    return new StaticSite(new Map(), false);
  }

  /** `folder` is what `next build` exported. Links in it are not followed. */
  static open(folder: string | null): StaticSite {
    const files = new Map<string, SiteFile>();
    const paths = folder === null ? [] : list(folder, "");
    let total = 0;
    for (const path of paths) {
      const full = join(folder ?? "", path);
      total += statSync(full).size;
      if (total > limits.siteBytes)
        throw new Error(`the dashboard folder holds more than ${limits.siteBytes} bytes`);
      const file = siteFile(
        path,
        readFileSync(full),
        /^404(?:\/index)?\.html$/.test(path) ? 404 : 200,
      );
      for (const address of addresses(path)) files.set(encodeURI(address), file);
    }
    if (files.has("/")) return new StaticSite(files, true);
    const page = siteFile("missing.html", Buffer.from(missingSite), 503);
    return new StaticSite(
      new Map(["/", "/s/", "/welcome/", "/docs/"].map((path) => [path, page])),
      false,
    );
  }

  kindOf(pathname: string): "page" | "file" | null {
    const file = this.files.get(pathname);
    return file ? (file.isPage ? "page" : "file") : null;
  }

  /** Address of the page for what does not exist, if the build has one. */
  get notFoundPage(): string | null {
    return this.files.has("/404") ? "/404" : null;
  }

  /** Inline scripts of a page are allowed by what this header says. */
  cspOf(pathname: string): string | undefined {
    return this.files.get(pathname)?.csp;
  }

  async serve(
    pathname: string,
    request: IncomingMessage,
    response: ServerResponse,
    clock: Clock = systemClock,
  ): Promise<void> {
    const file = this.files.get(pathname);
    if (!file) throw new Error("invariant: the route table passed a path that the site lacks");
    const headers: Record<string, string | number> = {
      ...securityHeaders(file.csp),
      "content-type": file.contentType,
      "cache-control": cacheControl(file),
      vary: "accept-encoding",
    };
    if (file.isPage) headers.link = discoveryLinks;
    else {
      headers.etag = file.etag;
      if (request.headers["if-none-match"] === file.etag) {
        response.writeHead(304, headers).end();
        return;
      }
    }
    const body = await this.bodyFor(file, request, headers);
    if (response.destroyed) return;
    headers["content-length"] = body.length;
    response.writeHead(file.status, headers);
    // A reader that takes nothing must not hold its socket for ever (T131).
    const timer = clock.after(limits.stalledReplyMs, () => response.destroy());
    response.once("close", () => timer.dispose());
    response.end(request.method === "HEAD" ? undefined : body);
  }

  private async bodyFor(
    file: SiteFile,
    request: IncomingMessage,
    headers: Record<string, string | number>,
  ): Promise<Buffer> {
    const accepts = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(
      String(request.headers["accept-encoding"] ?? ""),
    );
    if (!accepts || file.body.length < 1024 || !compressible.test(file.contentType))
      return file.body;
    headers["content-encoding"] = "gzip";
    file.gzipped ??= compress(file.body);
    return file.gzipped;
  }
}

function siteFile(path: string, body: Buffer, status: SiteFile["status"]): SiteFile {
  const isPage = path.endsWith(".html");
  return {
    status,
    body,
    contentType: contentTypes[extname(path).toLowerCase()] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    isPage,
    // Next puts a hash of the content into these names.
    isImmutable: path.startsWith("_next/static/"),
    csp: isPage ? pageCsp(body.toString("utf8")) : undefined,
  };
}

function cacheControl(file: SiteFile): string {
  if (file.isPage) return "no-store";
  return file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
}

/** Where a file is reached: a page at its folder, with and without the slash. */
function addresses(path: string): string[] {
  if (path === "index.html") return ["/"];
  if (path.endsWith("/index.html")) {
    const folder = `/${path.slice(0, -"/index.html".length)}`;
    return [folder, `${folder}/`];
  }
  if (path.endsWith(".html")) {
    const page = `/${path.slice(0, -".html".length)}`;
    return [page, `${page}/`];
  }
  return [`/${path}`];
}

function list(folder: string, below: string): string[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(join(folder, below));
  } catch (error) {
    // No build: told by a page, not by a crash.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && below === "") return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return list(folder, path);
    return entry.isFile() && !entry.name.startsWith(".") ? [path] : [];
  });
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
