import { expect, it } from "vitest";
import { withVisibleControls } from "./visible-text.ts";

it("[SE8] what cannot be seen is shown: escapes, C1, tabs, direction marks; text stays text", () => {
  expect(withVisibleControls("a\x1b[31mb")).toBe("a\u241b[31mb");
  expect(withVisibleControls("x\x9by\x7f")).toBe("x\\u009by\u2421");
  expect(withVisibleControls("\tmake")).toBe("\u2192\tmake");
  expect(withVisibleControls("rm \u202egpj.exe")).toBe("rm \\u202egpj.exe");
  expect(withVisibleControls("日本 é 👩‍💻".replaceAll("\u200d", ""))).toBe("日本 é 👩💻");
});
