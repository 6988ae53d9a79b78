import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

test("flows that join and leave are drawn over time, with every step and how fair it was", async ({ page }) => {
  // Steps of 200 ms instead of 2 s keep it short.
  await page.goto(
    "/buffer?preset=staircase&set=traffic.0.interval:200ms&set=run.duration:1.8s&set=run.series:20ms&over=512kB:1MB:log2",
  );
  // It may run by itself. A click on "Run packets" could then meet the "Cancel" that takes its place at that moment.
  await expect(page.getByRole("button", { name: /^(Run packets|Cancel)$/ })).toBeVisible();
  await page.keyboard.press("Control+Enter");
  const rates = page.getByRole("region", { name: "Rate of each flow over time" });
  await expect(rates).toBeVisible();
  await expect(rates.getByText("flow 5", { exact: true })).toBeVisible();
  await expect(rates).toContainText(/Jain's index is 0\.\d+ on average/);
  const steps = rates.getByRole("table", { name: /Steps/ });
  await expect(steps.getByRole("row")).toHaveCount(10);
  await expect(steps.getByRole("row").nth(1)).toContainText(/0 s to 200 ms\s*1/);
  await accessible(page);
  await fits(page);
});
