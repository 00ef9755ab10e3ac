// Programs that only the tests need: a Chromium, and a few from the system's packages that run inside terminals.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { root, run, say } from "./run.mjs";

function onPath(name) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

const isRoot = process.getuid?.() === 0;

/** `names`: Debian's package names. */
async function installPackages(names) {
  if (!isRoot || !onPath("apt-get")) return;
  say(`cotty: installing ${names.join(", ")} (apt-get) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env });
  const install = (...some) =>
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...some], { env });
  // One that this system names otherwise keeps all the others away.
  if ((await install(...names)) !== 0 && names.length > 1)
    for (const name of names) await install(name);
}

const shell = "chromium-headless-shell";

function playwrightCache() {
  const folders = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), ".cache/ms-playwright"),
    join(homedir(), "Library/Caches/ms-playwright"),
  ];
  const inside = [
    "chrome-linux/headless_shell",
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "chrome-headless-shell-mac-x64/chrome-headless-shell",
    "chrome-linux/chrome",
    "chrome-linux64/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac-arm64/Chromium.app/Contents/MacOS/Chromium",
  ];
  for (const folder of folders) {
    if (!folder || !existsSync(folder)) continue;
    for (const version of readdirSync(folder)
      .filter((name) => /^chromium(_headless_shell)?-/.test(name))
      .sort()
      .reverse()) {
      for (const path of inside)
        if (existsSync(join(folder, version, path))) return join(folder, version, path);
    }
  }
  return undefined;
}

/**
 * The headless shell first: the same engine without a window of its own around the page, which costs a fourth of what a browser test
 * takes and shows nobody anything.
 */
function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return given;
    say(`CHROMIUM_PATH names ${given}, which does not exist; looking elsewhere.`);
  }
  const names = [shell, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const mac = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return (
    names.map(onPath).find(Boolean) ?? mac.find((path) => existsSync(path)) ?? playwrightCache()
  );
}

/** Program -> Debian package. Real programs that the tests drive inside real terminals. */
const testPrograms = {
  vim: "vim",
  tmux: "tmux",
  htop: "htop",
  less: "less",
  ps: "procps",
  setsid: "util-linux",
  python3: "python3",
  git: "git",
  zsh: "zsh",
  fish: "fish",
  // The corpus of situations (server/testing/situations).
  man: "man-db",
  nano: "nano",
  gdb: "gdb",
  sqlite3: "sqlite3",
  bc: "bc",
  dialog: "dialog",
  whiptail: "whiptail",
  fzf: "fzf",
  expect: "expect",
  sudo: "sudo",
  openssl: "openssl",
  gpg: "gpg",
  "gpg-agent": "gpg-agent",
  "pinentry-curses": "pinentry-curses",
  "ssh-keygen": "openssh-client",
  make: "make",
  nc: "netcat-openbsd",
  perl: "perl-base",
  // An SSH server that is a program only: installing it starts no service. It needs root, as what drives it does.
  ...(isRoot ? { dropbear: "dropbear-bin", su: "util-linux", passwd: "passwd" } : {}),
};

const missingPrograms = () => Object.keys(testPrograms).filter((name) => !onPath(name));

/** What the system's packages can give of what is missing, in one call; what they cannot is said later, by who needs it. Needs no node_modules. */
export async function ensurePackages() {
  const packages = [
    ...(findChromium() ? [] : [shell]),
    ...new Set(missingPrograms().map((name) => testPrograms[name])),
  ];
  if (packages.length > 0) await installPackages(packages);
}

/** Pictures show emoji and Chinese; without these fonts they show boxes. */
export async function ensureFonts() {
  const fonts = {
    "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf": "fonts-noto-color-emoji",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc": "fonts-wqy-microhei",
  };
  const missing = Object.keys(fonts).filter((path) => !existsSync(path));
  if (missing.length > 0) await installPackages(missing.map((path) => fonts[path]));
}

/** Ends this process where a program is still missing, with the command that installs it. */
export function checkTestPrograms() {
  const missing = missingPrograms();
  if (missing.length === 0) return;
  const packages = new Set(missing.map((name) => testPrograms[name]));
  say(
    `cotty: the tests drive ${missing.join(", ")}. Run: ${onPath("apt-get") ? "sudo apt-get install -y" : "install"} ${[...packages].join(" ")}`,
  );
  process.exit(1);
}

/** Path of a Chromium: CHROMIUM_PATH, the system's, Playwright's cache; else Playwright downloads one; else this process ends with what to run. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  // Not every system has the shell as a package.
  await installPackages(["chromium"]);
  const installed = findChromium();
  if (installed) return installed;
  say("cotty: no Chromium found; trying Playwright's download …");
  await run(process.execPath, [
    join(root, "node_modules/@playwright/test/cli.js"),
    "install",
    "chromium",
  ]);
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  const command = onPath("apt-get")
    ? "sudo apt-get install -y chromium"
    : process.platform === "darwin"
      ? "brew install --cask chromium"
      : "npx playwright install chromium";
  say(`cotty: the browser tests need a Chromium. Run: ${command}\n(or set CHROMIUM_PATH to one)`);
  process.exit(1);
}
