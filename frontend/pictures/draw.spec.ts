import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "@playwright/test";

import { PICTURES } from "./pictures.mjs";

const images = join(import.meta.dirname, "..", "..", "docs", "images");

for (const { file, address, size, press, part, top } of PICTURES) {
  test(`docs/images/${file}`, async ({ page }) => {
    mkdirSync(images, { recursive: true });
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(address);
    for (const name of press ?? []) {
      await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
      // What was started takes a moment to say so.
      await page.waitForTimeout(3_000);
      await expect(page.getByRole("button", { name: /^(Cancel|Stop)/ })).toHaveCount(0);
      await expect(page.getByText(/^(Computing|Loading|Waiting|Queued)/)).toHaveCount(0);
    }
    await page.waitForLoadState("networkidle");
    // What is drawn into a canvas or by Plotly has no other sign of its end.
    await page.waitForTimeout(2_000);
    await page.mouse.move(0, 0);
    if (top !== undefined) {
      await page.getByRole("heading", { name: top }).evaluate((heading) => {
        (heading.closest("section") ?? heading).scrollIntoView({ block: "start" });
      });
    }
    const shown = part === undefined ? page : page.getByRole("group", { name: part, exact: true });
    await shown.screenshot({ path: join(images, file), animations: "disabled" });
  });
}
