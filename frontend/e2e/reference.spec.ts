import { expect, test } from "@playwright/test";

test("the reference of the API lists every operation and tries one, with nothing from elsewhere", async ({ page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto("/api/v1/docs");
  await expect(page).toHaveURL(/\/api-reference$/);
  const health = page.locator("#operations-health-getHealth");
  await expect(health).toContainText("/api/v1/health");
  await health.getByRole("button").first().click();
  await health.getByRole("button", { name: "Try it out" }).click();
  await health.getByRole("button", { name: "Execute" }).click();
  await expect(health.locator(".live-responses-table")).toContainText('"status": "ok"');
  expect(faults).toEqual([]);
});
