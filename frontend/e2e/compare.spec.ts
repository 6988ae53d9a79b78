import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

test("a preset and an edited scenario stand side by side, with what differs in words", async ({ page }) => {
  await page.goto("/compare");
  await expect(page.getByText("Add a preset here")).toBeVisible();
  await page.getByRole("combobox", { name: "A" }).selectOption("wan-bottleneck");
  await expect(page).toHaveURL(/a=wan-bottleneck/);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Buffer" }).click();
  await page.getByRole("textbox", { name: /^RTT$/ }).fill("40 ms");
  await expect(page).toHaveURL(/rtt=40\+ms/);
  await page.getByRole("button", { name: "Add to compare" }).click();
  await expect(page.getByText("Added as B")).toBeVisible();
  await page.getByRole("link", { name: "Compare 2" }).click();
  const table = page.getByRole("group", { name: "Table of differences" });
  const utilisation = table
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: "Utilisation", exact: true }) });
  await expect(utilisation).toContainText(/9\d\.\d.* %.*−\d.*points.*worse/s);
  await expect(page.getByRole("listitem").filter({ hasText: "Against A" })).toContainText(/RTT .*→/);
  await accessible(page, "compare");
  await page.getByRole("button", { name: "Closed form" }).click();
  await expect(page).toHaveURL(/engine=theory/);
  await expect(utilisation).toContainText("worse");
  await page.reload();
  await expect(utilisation).toContainText("worse");
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, "compare");
  await page.getByRole("button", { name: "Remove B" }).click();
  await expect(page.getByRole("button", { name: "Remove B" })).toHaveCount(0);
});

test("what an engine cannot answer is said, and packets are run on request", async ({ page }) => {
  await page.goto("/compare?a=microbursts&b=tor-10g&engine=theory");
  await expect(page.getByText(/A has no answer by closed form/)).toBeVisible();
  await page.goto("/compare?a=microbursts&b=deep-or-shallow&engine=packet");
  await page.getByRole("button", { name: /Run packets/ }).click();
  const drops = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Drop rate", exact: true }) });
  await expect(drops).toContainText(/% to .*%.*points/s);
  await expect(page.getByText("Three seeds at each size")).toBeVisible();
});
