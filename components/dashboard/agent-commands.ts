// What to run or paste to let an agent in: real commands against this very server. Pure.
export const tokenCommand = "npm run --silent cotty -- token create --role agent --name my-agent";

const auth = `-H "Authorization: Bearer $COTTY_TOKEN"`;
const json = `-H "Content-Type: application/json"`;

function exports(origin: string, token: string): string {
  return `export COTTY_URL=${origin}\nexport COTTY_TOKEN=${token}`;
}

/** One command each, in the order of use. */
export function apiExamples(origin: string) {
  return {
    setup: `${exports(origin, "…")}   # what the command above printed`,
    create: `curl -s -X POST "$COTTY_URL/api/v1/sessions" \\\n  ${auth} \\\n  ${json} \\\n  -d '{"name":"build"}'`,
    type: `curl -s -X POST "$COTTY_URL/api/v1/sessions/$ID/input" \\\n  ${auth} \\\n  ${json} \\\n  -d '{"input":[{"text":"ls -la"},{"key":"Enter"}]}'`,
    look: `curl -s "$COTTY_URL/api/v1/sessions/$ID/screen" \\\n  ${auth}`,
    end: `curl -s -X DELETE "$COTTY_URL/api/v1/sessions/$ID" \\\n  ${auth}`,
  } as const;
}

export const agentWays = ["claude", "codex", "mcp_json", "curl", "environment"] as const;
export type AgentWay = (typeof agentWays)[number];

/** What stands where the token will be until there is one. */
export const noToken = "cot_agt_…";

export interface Access {
  readonly origin: string;
  readonly token: string;
  /** Without it, nothing that changes a session is shown. */
  readonly canWrite: boolean;
}

/** Boxes of one way, each pasted as a whole; `text` names it in the strings. */
export interface Snippet {
  readonly text: "run" | "file" | "toml" | "setToken" | "check" | "drive" | "set" | "tell";
  readonly code: string;
}

export function snippets(way: AgentWay, access: Access): Snippet[] {
  const { origin, token } = access;
  const mcp = `${origin}/mcp`;
  const setToken: Snippet = { text: "setToken", code: `export COTTY_TOKEN=${token}` };
  switch (way) {
    case "claude":
      return [
        {
          text: "run",
          code: `claude mcp add --transport http cotty ${mcp} \\\n  --header "Authorization: Bearer ${token}"`,
        },
      ];
    case "codex":
      // Codex takes a token from the environment only.
      return [
        setToken,
        {
          text: "run",
          code: `codex mcp add cotty --url ${mcp} \\\n  --bearer-token-env-var COTTY_TOKEN`,
        },
        {
          text: "toml",
          code: `[mcp_servers.cotty]\nurl = "${mcp}"\nbearer_token_env_var = "COTTY_TOKEN"`,
        },
      ];
    case "mcp_json":
      // The file is made to be shared, so the token stays out of it.
      return [{ text: "file", code: mcpJson(mcp) }, setToken];
    case "curl":
      return [
        { text: "check", code: `curl -s ${origin}/api/v1/me -H "Authorization: Bearer ${token}"` },
        { text: "drive", code: driveScript(access) },
      ];
    case "environment":
      return [
        { text: "set", code: exports(origin, token) },
        { text: "tell", code: promptFor(access) },
      ];
  }
}

function mcpJson(url: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills it in.
  const headers = { Authorization: "Bearer ${COTTY_TOKEN}" };
  return JSON.stringify({ mcpServers: { cotty: { type: "http", url, headers } } }, null, 2);
}

function driveScript({ origin, token, canWrite }: Access): string {
  const { create, type, look } = apiExamples(origin);
  const list = `curl -s "$COTTY_URL/api/v1/sessions" \\\n  ${auth}`;
  const steps = canWrite
    ? [
        `# start a terminal; the answer's "id" names it\nID=$(${create} | sed -E 's/.*"id":"([^"]+)".*/\\1/')`,
        `# type into it\n${type}`,
        `# look at it\n${look}`,
      ]
    : [`# the sessions\n${list}`, `# the screen of one; ID is its "id"\n${look}`];
  return [exports(origin, token), ...steps].join("\n\n");
}

function promptFor({ origin, canWrite }: Access): string {
  const api = `${origin}/api/v1`;
  const how = canWrite
    ? "POST /sessions starts a program, POST /sessions/{id}/input types, GET /sessions/{id}/screen reads the screen."
    : "GET /sessions lists them, GET /sessions/{id}/screen reads a screen.";
  const what = canWrite ? "drive" : "watch";
  return `You can ${what} real terminals through the JSON API at ${api}. Send "Authorization: Bearer $COTTY_TOKEN". ${how}`;
}
