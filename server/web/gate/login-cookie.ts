// The cookie of a browser login: its name, its attributes, and how it is found (SE3, T41). Half of a credential; the page's key is the other.
import { limits } from "#lib/protocol/limits.ts";
import type { HeaderFacts } from "./request-facts.ts";

/** Cookies ignore ports, so the name carries it: two servers on one machine must not overwrite each other's. */
export function loginCookieName(tcpPort: number, scheme: "http" | "https"): string {
  return scheme === "https" ? `__Host-cotty_${tcpPort}` : `cotty_${tcpPort}`;
}

/** The one value of that name; undefined when there is none or several (a planted twin must not win). */
export function cookieNamed(headers: HeaderFacts, name: string): string | undefined {
  const found: string[] = [];
  for (const line of headers.get("cookie") ?? []) {
    for (const part of line.split(";")) {
      const equals = part.indexOf("=");
      if (equals > 0 && part.slice(0, equals).trim() === name)
        found.push(part.slice(equals + 1).trim());
    }
  }
  return found.length === 1 ? found[0] : undefined;
}

export function setLoginCookie(name: string, value: string, scheme: "http" | "https"): string {
  return `${name}=${value}; Max-Age=${limits.loginAbsoluteMs / 1000}; ${attributes(scheme)}`;
}

export function clearLoginCookie(name: string, scheme: "http" | "https"): string {
  return `${name}=; Max-Age=0; ${attributes(scheme)}`;
}

function attributes(scheme: "http" | "https"): string {
  return `Path=/; HttpOnly; SameSite=Strict${scheme === "https" ? "; Secure" : ""}`;
}
