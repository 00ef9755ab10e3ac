// Every word of every language: said with sample values, and looked at as a reader would.
import { expect, it } from "vitest";
import { zh } from "./chinese.ts";
import { en } from "./en.ts";
import { zhCN } from "./zh-CN.ts";

/** Values by the names of parameters; each with a number that is one and one that is many. */
const samples: Record<string, readonly unknown[]> = {
  ...of("Zoé", [
    ...["session", "agent", "name", "by", "text", "program", "command", "what", "why", "how"],
    ...["cwd", "path", "message", "reason", "signal", "id", "word", "result", "when", "took"],
    ...["minutes", "age", "duration", "date", "hands"],
  ]),
  ...of(1, ["n", "ms", "size", "open", "max", "exited", "characters", "code", "cols", "rows"]),
  ...of(1, ["attempt", "shown", "all", "at", "of", "place", "lines", "line"]),
  seconds: [0, 1, 2.5],
  secure: [true, false],
};
/** Functions that may be asked about nobody, or without a time or a code. */
const takesNothing = new Set([
  ...["app.title session", "terminal.reconnectingDetail seconds", "fatal.next seconds"],
  ...["commands.finished code", "profiles.problem line", "keyboard.ready.detail agent"],
  ...["keyboard.ready.left agent", "keyboard.me.back agent", "keyboard.me.draft agent"],
  ...["keyboard.attention.headline agent", "keyboard.secret.answered agent"],
  ...["keyboard.coach seconds", "keyboard.coach agent", "keyboard.terminalLabel agent"],
  ...["keyboard.say.back agent"],
]);
/** What neither is translated nor has to be: names, keys, commands, units. */
const names = new RegExp(
  [
    // The longer before what it begins with.
    /(?:Ctrl|Alt)\+\S+|Alt Shift F|Enter|\?id=|`[a-z ]+`|cotty open|npm run \S+ cotty -- open/,
    /Zoé|Cotty|cotty|my-agent|Claude Code|Codex|curl|\.mcp\.json|~\/\.codex\/config\.toml/,
    /docs\/shell-integration\.md|READ_ONLY|SEALED|WebSocket|WebGL|DOM|JSON|HTTP|API|AI|ID/,
    /Shell|bash|zsh|fish|ssh|English|\b(?:px|ms)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

interface Text {
  readonly path: string;
  readonly text: string;
}

const english = [...textsOf(en)];
const chinese = [...textsOf(zhCN)];

it("every text is there with sample values, in both languages", () => {
  expect(english.length).toBeGreaterThan(600);
  expect(new Set(chinese.map(({ path }) => path))).toEqual(new Set(english.map((one) => one.path)));
  for (const { path, text } of [...english, ...chinese]) {
    expect(typeof text, path).toBe("string");
    expect(text.trim(), path).not.toBe("");
    expect(text, path).not.toMatch(/undefined|null|NaN|\[object/);
  }
});

it("no language says “lease”: it is the keyboard", () => {
  for (const { path, text } of [...english, ...chinese]) expect(text, path).not.toMatch(/lease/i);
});

it("no English is left in the Chinese, and no Chinese in the English", () => {
  for (const { path, text } of chinese)
    expect(text.replaceAll(names, ""), `${path}: ${text}`).not.toMatch(/\p{Script=Latin}/u);
  for (const { path, text } of english)
    if (path !== "menu.languages.zh-CN") expect(text, path).not.toMatch(/\p{Script=Han}/u);
});

it("Chinese texts are spaced and punctuated as in print", () => {
  for (const { path, text } of chinese) {
    const where = `${path}: ${text}`;
    expect(text, where).not.toMatch(/\p{Script=Han}[\p{Script=Latin}\d]/u);
    expect(text, where).not.toMatch(/[\p{Script=Latin}\d]\p{Script=Han}/u);
    expect(text, where).not.toMatch(/\p{Script=Han} \p{Script=Han}/u);
    expect(text, where).not.toMatch(/[，。：；？！、（）“”] | [，。：；？！、（）“”]/);
    expect(text, where).not.toMatch(/\p{Script=Han}[,.:;?!()"]|[,:;?!()"]\p{Script=Han}/u);
    expect(text, where).not.toMatch(/ {2}|^ | $/);
  }
});

it("one word for one thing in Chinese", () => {
  for (const { path, text } of chinese) {
    expect(text, path).not.toMatch(/代理|口令|密钥|对话|工作阶段|游标|您/);
  }
  expect(zhCN.keyboard.ready.detail(null)).toContain("智能体");
});

it("a value meets the Chinese around it with a space only where Latin letters or digits do", () => {
  expect(zh`${"claude-1"}正在输入`).toBe("claude-1 正在输入");
  expect(zh`${"小王"}正在输入`).toBe("小王正在输入");
  expect(zh`终端${"build"}。${""}按 F`).toBe("终端 build。按 F");
  expect(zh`共${3}行`).toBe("共 3 行");
  // What stands inside a name is nobody's business.
  expect(zh`“${"组a"}”正在运行`).toBe("“组a”正在运行");
});

function of(sample: unknown, parameters: readonly string[]) {
  const values = typeof sample === "number" ? [sample, 2] : [sample];
  return Object.fromEntries(parameters.map((name) => [name, values]));
}

function* textsOf(part: unknown, path = ""): Generator<Text> {
  if (typeof part === "string") yield { path, text: part };
  else if (typeof part === "function") {
    for (const values of choices(path, part as (...values: unknown[]) => string))
      yield { path, text: (part as (...all: unknown[]) => string)(...values) };
  } else {
    // Times have tests of their own.
    for (const [key, one] of Object.entries(part as object))
      if (path !== "" || key !== "format")
        yield* textsOf(one, path === "" ? key : `${path}.${key}`);
  }
}

/** All combinations of what the parameters may be. English names them: a translation may leave out one that it does not use. */
function choices(path: string, text: (...values: unknown[]) => string): unknown[][] {
  const source = path.split(".").reduce<unknown>((at, key) => (at as never)[key], en);
  const parameters = /^(?:async )?\(?([^)=]*)\)?\s*=>/.exec(String(source))?.[1] ?? "";
  const values = parameters.split(",").flatMap((one) => {
    const name = one.trim();
    if (name === "") return [];
    const known = samples[name];
    if (!known) throw new Error(`no sample for the parameter ${name} of ${path} (${text})`);
    return [takesNothing.has(`${path} ${name}`) ? [...known, null] : known];
  });
  return values.reduce<unknown[][]>(
    (rows, next) => rows.flatMap((row) => next.map((value) => [...row, value])),
    [[]],
  );
}
