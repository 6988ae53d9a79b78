import { expect, test, type Page } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const verdict = (page: Page) => page.getByRole("tabpanel").getByRole("heading", { level: 1 });
const map = (page: Page) => page.getByRole("application");
const course = (page: Page) => page.getByRole("region", { name: "Queue over time" });

async function opened(page: Page, address = "/stability") {
  await page.goto(address);
  await expect(verdict(page)).toBeVisible();
  await expect(map(page).locator("rect").nth(1500)).toBeAttached();
}

test("an edit judges anew, lands in the address and survives a reload", async ({ page }) => {
  await opened(page);
  await expect(verdict(page)).toContainText("Unstable:");
  await page
    .getByRole("textbox", { name: /^RTT R|^RTT$/ })
    .first()
    .fill("4 ms");
  await expect(verdict(page)).toContainText("Stable:");
  await expect(page).toHaveURL(/topology\.rtt=4\+ms/);
  await page.reload();
  await expect(verdict(page)).toContainText("Stable:");
});

test("a click on the map shows the course there, and the arrow keys move on", async ({ page }) => {
  await opened(page);
  await expect(course(page)).toContainText("At the scenario");
  const box = await map(page).boundingBox();
  if (box === null) throw new Error("the map is not drawn");
  await map(page).click({ position: { x: 0.4 * box.width, y: 0.8 * box.height } });
  await expect(page).toHaveURL(/at=/);
  await expect(course(page)).toContainText("Stable: the queue settles");
  await expect(course(page).locator(".main-svg").first()).toBeVisible();
  const before = page.url();
  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).not.toHaveURL(before);
  await page.getByRole("button", { name: "Back to the scenario" }).click();
  await expect(course(page)).toContainText("At the scenario");
});

test("without a fixed point the reason and the oscillation are shown", async ({ page }) => {
  await page.goto("/stability?preset=wan-bottleneck");
  await expect(page.getByRole("tabpanel")).toContainText("There is no linear answer");
  await expect(page.getByRole("tabpanel")).toContainText("Oscillation");
});

for (const scheme of ["light", "dark"] as const) {
  test(`stability is accessible and fits, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await opened(page);
    await accessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page);
  });
}
