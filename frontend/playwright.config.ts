import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defineConfig } from "@playwright/test";

const { CI, FOOTROOM_CHROMIUM, FOOTROOM_COMMAND, FOOTROOM_PORT } = process.env;
const command = FOOTROOM_COMMAND ?? join(import.meta.dirname, "..", ".venv", "bin", "footroom");
const address = `http://127.0.0.1:${FOOTROOM_PORT ?? "8123"}`;

/** A fresh database for each run, so that no run answers from what an earlier one stored. */
function database(): string {
  return `sqlite:///${join(mkdtempSync(join(tmpdir(), "footroom-browser-")), "studies.db")}`;
}

// The browser talks to the built page and the real API behind it, as `npm start` serves them.
export default defineConfig({
  testDir: "e2e",
  forbidOnly: CI !== undefined,
  // Two pages at a time: while one waits for the server, the other can be looked at.
  fullyParallel: true,
  workers: 2,
  // A busy machine takes its time, and the first answers may have to wait for the compiler; that is no fault.
  timeout: 600_000,
  expect: { timeout: 300_000 },
  reporter: [["list"]],
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    // Nothing is caught half-way through a transition.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording takes a sixteenth of the time, and nobody can open what a machine of CI records.
    trace: CI === undefined ? "retain-on-failure" : "off",
    launchOptions: {
      ...(FOOTROOM_CHROMIUM === undefined ? {} : { executablePath: FOOTROOM_CHROMIUM }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `"${command}" serve --port ${FOOTROOM_PORT ?? "8123"} --database "${database()}"`,
    url: `${address}/api/v1/health`,
    reuseExistingServer: false,
    timeout: 600_000,
  },
});
