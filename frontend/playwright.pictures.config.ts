import { defineConfig } from "@playwright/test";

import browser from "./playwright.config.ts";

// `npm run pictures`: the pictures of README and docs are taken of the page as the browser tests open it.
export default defineConfig({
  ...browser,
  testDir: "pictures",
  // One of them waits for the packets of a whole sweep.
  timeout: 1_200_000,
  expect: { timeout: 1_000_000 },
});
