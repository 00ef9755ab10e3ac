// Our three terminal palettes. Contrast against the background: dark >= 5.2, light >= 4.8, high contrast >= 8.8 (slots 1-15).
import type { ITheme } from "@xterm/xterm";

export type ThemeName = "dark" | "light" | "contrast";

/** Background, foreground, cursor, selection, then slots 0-15. */
function palette(
  [background, foreground, cursor, selectionBackground]: readonly [string, string, string, string],
  slots: string,
): ITheme {
  const [
    black,
    red,
    green,
    yellow,
    blue,
    magenta,
    cyan,
    white,
    brightBlack,
    brightRed,
    brightGreen,
    brightYellow,
    brightBlue,
    brightMagenta,
    brightCyan,
    brightWhite,
  ] = slots.split(" ").map((slot) => `#${slot}`);
  return Object.freeze({
    background,
    foreground,
    cursor,
    cursorAccent: background,
    selectionBackground,
    black,
    red,
    green,
    yellow,
    blue,
    magenta,
    cyan,
    white,
    brightBlack,
    brightRed,
    brightGreen,
    brightYellow,
    brightBlue,
    brightMagenta,
    brightCyan,
    brightWhite,
  } as ITheme);
}

export const themes: Record<ThemeName, ITheme> = {
  dark: palette(
    ["#0E1116", "#E6EAF2", "#E6EAF2", "#2B4170"],
    "1F2530 FF7A80 5FD38D F2C14E 7AA2FF D19BFF 5CD6E8 C9D1DD 7C879A FF9EA2 86E5AC FFD97A A5C0FF E1BFFF 8FE7F3 FFFFFF",
  ),
  light: palette(
    ["#FFFFFF", "#1B2130", "#1B2130", "#CFDDFF"],
    "1B2130 B3261E 12713A 7A5300 2450D6 8A2BB0 0A6577 667082 4A5364 C4342B 1A7F45 8A5F00 3B66F0 9C3BC4 0B7488 5B6474",
  ),
  contrast: palette(
    ["#000000", "#FFFFFF", "#FFFFFF", "#3A5BA8"],
    "3A3A3A FF8A8A 5CFF9D FFE45C 9CBCFF FFA8FF 6CF5FF F2F2F2 A8A8A8 FFB3B3 9DFFC6 FFF2A0 C7D8FF FFD0FF B5FBFF FFFFFF",
  ),
};

/** Text the program coloured itself is lightened or darkened to at least this contrast. */
export const contrastFloor: Record<ThemeName, number> = { dark: 4.5, light: 4.5, contrast: 7 };
