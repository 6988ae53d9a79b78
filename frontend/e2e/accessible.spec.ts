import { expect, test } from "@playwright/test";

import { VIEWS } from "../src/lib/views.ts";
import { accessible, fits } from "./checks.ts";

const USUAL = [1440, 900] as const;
const SIZES = [[390, 844], USUAL, [2560, 1440]] as const;

/** Views that show something else with an address of their own, and one question of each kind of page. */
const MORE = [
  "/buffer?preset=lossless-incast",
  "/compare?a=wan-bottleneck&b=tor-10g",
  "/headroom?page.section=pool",
  "/sharing?page.mode=run&run.preset=headroom-too-small",
  "/questions/derivation",
  "/questions/ecn-thresholds",
  "/questions/other-controls",
];

for (const address of [...VIEWS.map(({ path }) => path), ...MORE])
  test(`${address} is accessible and fits, light and dark`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(address);
    await expect(page.getByRole("main")).toContainText(/\w{3}/);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await accessible(page, `${width}:`, width === USUAL[0] ? undefined : "structure");
      await fits(page, String(width));
    }
    // Colours do not depend on the size, so dark is looked at in one.
    await page.setViewportSize({ width: USUAL[0], height: USUAL[1] });
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await accessible(page, "dark:");
  });
