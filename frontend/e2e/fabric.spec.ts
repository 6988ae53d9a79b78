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

test("a link to an unknown preset says so", async ({ page }) => {
  await page.goto("/fabric?preset=nosuch");
  await expect(page.getByRole("alert")).toHaveText('Unknown preset "nosuch".');
  await expect(page.getByRole("button", { name: "Run packets" })).toBeDisabled();
  await expect(page.getByText("Not simulated yet.")).toBeHidden();
});

test("a run that locks says so first, and marks the ports", async ({ page }) => {
  await page.goto("/fabric?preset=pause-deadlock");
  await page.getByRole("button", { name: "Run packets" }).click();
  const locked = page.getByText(/^Deadlock at 1\.148 ms: these ports wait for one another in a cycle/);
  await expect(locked).toContainText(
    "leaf1 → spine0 (class 3), spine0 → leaf2 (class 3), leaf2 → spine1 (class 3), spine1 → leaf1 (class 3)",
  );
  await expect(locked).toBeInViewport();
  await expect(page.getByText("the deadlock: each port waits for the next")).toBeVisible();
  await page.getByRole("button", { name: /^Show assumptions/ }).click();
  await expect(page.getByText(/Lossless classes may deadlock\. There is a cycle of buffer dependencies/)).toBeVisible();
  await accessible(page, "light");
});
