// Characters that a keyboard has on its third level. xterm asks the browser which system it runs on: each has another key for them.
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

const systems = [
  { platform: "MacIntel", chord: { altKey: true }, name: "Option on a Mac" },
  { platform: "Win32", chord: { altKey: true, ctrlKey: true }, name: "AltGr on Windows" },
];

for (const { platform, chord, name } of systems)
  test(`[UI 9] ${name} writes a character and is no chord of the program`, async ({
    dash,
    session,
  }) => {
    const { page } = dash;
    await page.addInitScript((system) => {
      Object.defineProperty(navigator, "platform", { get: () => system });
    }, platform);
    const { id } = await session({ name: "shop" });
    const terminal = await dash.open(id);
    await terminal.box.locator("textarea").focus();
    // A chord that is the program's is taken from the browser; of this one the browser makes the character.
    const isTaken = await page.evaluate((held) => {
      const at = { key: "@", code: "KeyL", keyCode: 76, bubbles: true, cancelable: true };
      return !document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { ...at, ...held }),
      );
    }, chord);
    expect(isTaken).toBe(false);
  });
