import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { Screen } from "./screen.ts";

async function rowsOf(text: string): Promise<string[]> {
  const screen = new Screen({ size: { cols: 20, rows: 5 } });
  await new Promise<void>((done) => screen.write(utf8(text), done));
  const rows = screen.printedRows(0).rows.map((row) => row.text);
  screen.dispose();
  return rows;
}

describe("rows that a wait looks at", () => {
  it("[WT3] keep the blank at the end of the prompt under the cursor, and no others", async () => {
    expect(await rowsOf("one   \r\n>>> ")).toEqual(["one", ">>> "]);
    expect(await rowsOf("Name:  \x1b[D")).toEqual(["Name: "]);
    expect(await rowsOf("日本: ")).toEqual(["日本: "]);
    expect(await rowsOf("x\x1b[10G")).toEqual(["x"]);
    expect(await rowsOf("\r\n   ")).toEqual(["", "   "]);
  });
});
