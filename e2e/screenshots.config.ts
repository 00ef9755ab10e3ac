// `npm run screenshots`: not a test run, but the same browser and the same server.
import { defineConfig } from "@playwright/test";
import base from "../playwright.config.ts";

export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: ["screenshots.spec.ts", "*.screenshots.spec.ts"],
  outputDir: "../test-results/screenshots",
  timeout: 120_000,
  // They show one folder, which each makes anew.
  workers: 1,
  fullyParallel: false,
});
