import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const small = "/sharing?page.mode=run&run.preset=headroom-too-small";

test("the memory of a lossless switch is drawn while it is typed, and a bad class is refused in place", async ({
  page,
}) => {
  await page.goto("/buffer?preset=headroom-too-small");
  const stack = page.getByRole("region", { name: "Memory of switch" });
  await expect(stack).toContainText(/73\D?900 B/);
  await page.getByRole("textbox", { name: /^Size/ }).first().fill("44340 B");
  await expect(stack).toContainText(/221\D?700 B/);
  await page
    .getByRole("textbox", { name: /^Lossless/ })
    .first()
    .fill("9");
  await expect(page.getByText(/Headroom, lossless 1:? must be at most 7/).first()).toBeVisible();
});

test("a packet run names the ports that lost packets and fills their headroom", async ({ page }) => {
  await page.goto(small);
  await page.getByRole("button", { name: "Run packets" }).click();
  const pauses = page.getByRole("region", { name: "Pauses and headroom" });
  await expect(pauses).toContainText("packets of lossless classes were lost");
  await expect(pauses.getByRole("row").filter({ hasText: "h1 → switch" })).toBeVisible();
  await expect(
    page.getByRole("group", { name: "Queues, free memory, marks, drops and pauses over time" }),
  ).toBeVisible();
  await accessible(page);
  await fits(page);
});

test("whether ECN marks before PFC pauses is run on one click", async ({ page }) => {
  await page.goto(
    "/headroom?buffer=16+MB&speed=100+Gb%2Fs&pool.ports=8x100G%40300m&pool.marking.kmin=400+kB&pool.marking.kmax=1600+kB&pool.marking.sources=4&page.section=pool",
  );
  await page.getByRole("button", { name: "Run it in packets" }).click();
  const run = page.getByRole("region", { name: "In packets" });
  await expect(run.getByRole("status")).toContainText("Marking came first");
  await expect(run.getByRole("row").filter({ hasText: "Pause frames" })).toBeVisible();
});
