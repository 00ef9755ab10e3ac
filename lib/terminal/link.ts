// Whether an address printed by a program may be opened, and what the person is told about it (SE8, T84).
import { limits } from "#lib/protocol/limits.ts";

export type LinkRefusal = "scheme" | "too_long" | "control_characters" | "malformed";

export type LinkCheck =
  | {
      ok: true;
      /** Normalised: what the browser would open. */
      href: string;
      /** The true host as the browser resolves it (punycode), with its port; for mailto the recipient. */
      host: string;
      /** The host as it looks, when that differs from `host`. */
      shownHost: string;
      /** `user:password@` stands before the host, where a false host hides best. */
      hasUserinfo: boolean;
      /** The host has letters outside ASCII. */
      isInternational: boolean;
      /** Letters of several scripts in one label of the host. */
      isMixedScript: boolean;
      /** The visible text looks like another address. */
      misleading: boolean;
    }
  | { ok: false; reason: LinkRefusal };

/** Visible control characters, and the invisible ones that make an address look like another. */
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** `shownText` is what stands on the screen, when the link is not its own text (OSC 8). */
export function checkLink(uri: string, shownText?: string): LinkCheck {
  if (uri.length > limits.linkUriChars) return { ok: false, reason: "too_long" };
  if (unwanted.test(uri)) return { ok: false, reason: "control_characters" };
  if (!/^(?:https?:\/\/|mailto:)/i.test(uri)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1];
    const isAllowed = scheme === undefined || /^https?$/i.test(scheme);
    return { ok: false, reason: isAllowed ? "malformed" : "scheme" };
  }
  let url: URL;
  try {
    url = new URL(uri);
  } catch {
    // The only way to ask: URL.canParse is not in every browser we support.
    return { ok: false, reason: "malformed" };
  }
  const isMail = url.protocol === "mailto:";
  const host = isMail ? recipient(url) : url.host;
  const shownHost = isMail ? host : (hostAsWritten(uri) ?? host);
  const name = isMail ? (host.split("@").at(-1) ?? "") : shownHost;
  return {
    ok: true,
    href: url.href,
    host,
    shownHost,
    hasUserinfo: url.username !== "" || url.password !== "",
    isInternational: /[^\x00-\x7f]/.test(name) || /(?:^|\.)xn--/i.test(host),
    isMixedScript: name.split(".").some(mixesScripts),
    misleading: shownText !== undefined && isMisleading(shownText, url, isMail),
  };
}

function recipient(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/** The host part as it stands in the address, before the URL parser turns it into punycode. */
function hostAsWritten(uri: string): string | undefined {
  const authority = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(uri)?.[1];
  const host = authority?.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  return host === "" ? undefined : host;
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Cherokee}/u,
];

function mixesScripts(label: string): boolean {
  return scripts.filter((script) => script.test(label)).length > 1;
}

/** Text that names a host, or has a scheme, names this one; other text cannot mislead about it. */
function isMisleading(text: string, url: URL, isMail: boolean): boolean {
  if (unwanted.test(text.trim())) return true;
  const named = namedHosts(text);
  if (isMail) {
    const domain = recipient(url).split("@").at(-1)?.toLowerCase();
    return named.some((host) => host !== domain);
  }
  return named.some((host) => withoutWww(host) !== withoutWww(url.hostname));
}

/** Hosts that `text` seems to speak of: of anything with a scheme or www, and of words like `bank.example/login`. */
function namedHosts(text: string): string[] {
  const hosts: string[] = [];
  for (const word of text.split(/[\s"'<>()[\]{},;|]+/)) {
    const match =
      /^(?:[a-z][a-z0-9+.-]*:\/\/)([^/?#\\]+)/i.exec(word) ??
      /^(?:mailto:)?(?:[^@\s/]+@)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#].*)?[.:!?]*$/iu.exec(
        word,
      );
    if (!match?.[1]) continue;
    // `main.rs`, `README.md` are files far more often than hosts; as a host they must come with a scheme, www or a path after them.
    const isBareName = match[0] === word && !/[/@:]|^www\./i.test(word);
    if (isBareName && fileLike.test(match[1])) continue;
    const host = canonicalHost(match[1]);
    if (host) hosts.push(host);
  }
  return hosts;
}

const fileLike =
  /\.(?:c|cc|cfg|conf|cpp|cs|css|csv|diff|go|h|hpp|html?|in|ini|java|js|json|jsx|kt|lock|log|lua|md|mjs|php|pl|png|jpe?g|gif|svg|pdf|py|rb|rs|rst|scss|sh|sql|swift|tar|toml|ts|tsx|txt|vue|xml|ya?ml|zip|zsh)$/i;

function canonicalHost(authority: string): string | undefined {
  try {
    return new URL(`http://${authority.slice(authority.lastIndexOf("@") + 1)}`).hostname;
  } catch {
    return undefined;
  }
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}
