import { expect, test, type Page } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const quick = "/ecn?congestion.kind=newreno&rtt=100+us&flows=32";

async function opened(page: Page, address = quick) {
  await page.goto(address);
  await expect(page.getByRole("region", { name: "Shipped defaults" })).toBeVisible();
}

test("thresholds in words, and each shipped default when it is picked", async ({ page }) => {
  await opened(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/Kmin .* Kmax .* Pmax/);
  await page
    .getByRole("group", { name: "Queue and utilisation over Kmax" })
    .getByRole("button", { name: /^HPCC evaluation, 25G/ })
    .click();
  await expect(page.getByRole("region", { name: "HPCC evaluation, 25G" })).toContainText("Does not meet the targets");
  await expect(page).toHaveURL(/page\.chosen=HPCC/);
});

test("an edit that nothing can meet is said plainly, with what came nearest", async ({ page }) => {
  await opened(page);
  await page.getByRole("textbox", { name: /^Queue/ }).fill("20 kB");
  await expect(page.getByRole("heading", { name: "No thresholds meet the targets" })).toBeVisible();
  await expect(page.getByText("Closest").first()).toBeVisible();
});

test("the thresholds open in the stability view as they were judged", async ({ page }) => {
  await opened(page);
  await page.getByRole("link", { name: "These thresholds in Stability" }).first().click();
  await expect(page.getByRole("tabpanel").getByRole("heading", { level: 1 })).toContainText(
    "Stable: the queue settles at 64.9 kB",
  );
});

for (const scheme of ["light", "dark"] as const) {
  test(`ECN is accessible and fits, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await opened(page);
    await accessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });
}
