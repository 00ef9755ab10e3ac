import { defineConfig } from "@playwright/test";

/**
 * What Chromium would start for nobody here: pages behind the address bar, loaded anew for every window (half the work of opening
 * one), and a process in reserve.
 */
const unwanted = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
];
/** Of such a list the last one counts: these are those of Playwright's own (1.65) that matter to pages on this machine. */
const unwantedByPlaywright = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Options every Chromium of ours is started with. Without the background flags it looks for hosts outside this machine. */
export const chromiumLaunch = {
  executablePath: process.env.CHROMIUM_PATH || "/usr/bin/chromium",
  args: [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${[...unwantedByPlaywright, ...unwanted].join(",")}`,
    // Chromium refuses to run as root with its sandbox; the pages are ours.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
};

export default defineConfig({
  testDir: "e2e/browser",
  outputDir: "test-results",
  // They end what hangs, on a machine that has other things to do as well.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Tests wait as well as work; each worker has a server of its own. Any worker takes the next test, so both end together.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: chromiumLaunch,
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
  },
});
