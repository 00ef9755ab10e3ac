import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { Screen } from "./screen.ts";

const print = (screen: Screen, text: string) =>
  new Promise<void>((done) => screen.write(utf8(text), done));

describe("a resize in the middle of a line", () => {
  it.each(["", "\x1b[?1049h"])(
    "[JR5] [SZ4] loses no letter of a row that is just full (after %j)",
    async (before) => {
      const screen = new Screen({ size: { cols: 10, rows: 5 } });
      await print(screen, `${before}0123456789`);
      screen.resize({ cols: 10, rows: 8 });
      screen.resize({ cols: 10, rows: 4 });
      await print(screen, "abc");
      expect(screen.text().lines.slice(0, 2)).toEqual(["0123456789", "abc"]);
      screen.dispose();
    },
  );

  it("puts the cursor where the library does when the width changes", async () => {
    const screen = new Screen({ size: { cols: 10, rows: 5 } });
    await print(screen, "0123456789");
    screen.resize({ cols: 12, rows: 5 });
    expect(screen.text().cursor.x).toBeLessThan(12);
    screen.dispose();
  });
});
