// The environment of a session's program (PT12, T101): an allow-list of what a person's shell needs from ours, then what Cotty
// says about the terminal, then what the session was given. Everything else of the server's environment stays here.

export interface EnvironmentSource {
  /** The server's own environment. */
  readonly server: Readonly<Record<string, string | undefined>>;
  /** More names of it to pass on; a trailing `*` stands for any ending. COTTY_*, npm_*, NODE_* and NEXT_* pass only by full name. */
  readonly keep?: readonly string[];
  readonly term: string;
  readonly sessionId: string;
  /** Where this server is reached; null leaves COTTY_URL out. */
  readonly url: string | null;
  /** Given at create; wins over everything but COTTY_SESSION, by which the session's processes are found again. */
  readonly given: Readonly<Record<string, string>>;
}

/** Identity, locale, desktop and network: what login would have set and start-up files do not set again. */
const allowed: readonly string[] = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TZDIR", "TMPDIR", "TMP", "TEMP"],
  ...["LANG", "LANGUAGE", "LC_*", "LS_COLORS", "MANPATH", "INFOPATH", "TERMINFO", "TERMINFO_DIRS"],
  ...["EDITOR", "VISUAL", "PAGER", "BROWSER", "LESS", "LESSCHARSET", "HOSTNAME", "HOSTTYPE"],
  ...["XDG_*", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"],
  ...["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_TTY", "KRB5CCNAME", "WSL_DISTRO_NAME", "WSLENV"],
  ...["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO"],
];
/** How the server was started, and its secrets: never swept in by a pattern. */
const serverNoise = /^(COTTY_|npm_|NODE_|NEXT_|VITEST)/;
const fallbackPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function sessionEnvironment(source: EnvironmentSource): Record<string, string> {
  const { server, given } = source;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(server)) {
    if (value !== undefined && isKept(name, source.keep ?? [])) env[name] = value;
  }
  env.PATH = searchPath(server);
  env.LANG ||= "C.UTF-8";
  env.TERM = source.term;
  env.COLORTERM = "truecolor";
  if (source.url !== null) env.COTTY_URL = source.url;
  Object.assign(env, given);
  env.TERM ||= source.term;
  env.COTTY_SESSION = source.sessionId;
  return env;
}

function isKept(name: string, keep: readonly string[]): boolean {
  if (allowed.some((pattern) => matches(name, pattern))) return true;
  return keep.some((pattern) =>
    serverNoise.test(name) ? name === pattern : matches(name, pattern),
  );
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Our PATH, without the folders that npm puts in front of it while it runs a script. */
function searchPath(server: Readonly<Record<string, string | undefined>>): string {
  const path = server.PATH || fallbackPath;
  const startedByNpm = Object.keys(server).some((name) => name.startsWith("npm_"));
  if (!startedByNpm) return path;
  const kept = path
    .split(":")
    .filter((folder) => !/(\/node_modules\/\.bin|\/node-gyp-bin)\/?$/.test(folder));
  return kept.join(":") || fallbackPath;
}
