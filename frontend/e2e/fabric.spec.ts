import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

test("a run shows headroom, queues over time, how pauses spread and rates", async ({ page }) => {
  await page.goto("/fabric");
  await page.getByRole("button", { name: "Run packets" }).click();
  await expect(page.getByText(/^You reserved .* at 5 switches\./)).toBeVisible();
  const time = page.getByRole("slider", { name: "Time" });
  await expect(time).toHaveAttribute("aria-valuetext", /^From 0 s to /);
  await time.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(time).toHaveAttribute("aria-valuetext", /the longest queue is .* at .* → .*/);
  await expect(page.getByText(/^Congestion at leaf2 → l2h0 led to \d+ pauses/)).toBeVisible();
  await expect(page.getByRole("group", { name: "Victims" })).toContainText("l0h0 → l2h1");
  await expect(page.getByText(/^Goodput of all 2 flows/)).toBeVisible();
  for (const name of ["Headroom used and reserved", "Queues and pauses over time", "How pauses spread"]) {
    for (const kind of ["PNG", "CSV"]) {
      const file = page.waitForEvent("download");
      await page.getByRole("button", { name: `${name}: download ${kind}` }).click();
      expect((await file).suggestedFilename()).toMatch(kind === "PNG" ? /\.png$/ : /\.csv$/);
    }
  }
  await page.getByRole("button", { name: "Headroom that ports share (DSH)" }).click();
  const differences = page.getByRole("group", { name: "Differences" });
  await expect(differences.getByRole("row", { name: /^headroom reserved/ })).toContainText("lower");
  await expect(page.getByText(/the same arrivals$/)).toBeVisible();
  await expect(page).toHaveURL(/whatIf=scheme/);
  // The link shows the run and the comparison to whoever opens it.
  await page.goto(page.url());
  await expect(differences.getByRole("row", { name: /^headroom reserved/ })).toContainText("lower");
  await expect(page.getByText(/^You reserved .* at 5 switches\./)).toBeVisible();
  await accessible(page, "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, "dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, "phone");
});
