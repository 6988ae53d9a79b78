import { expect, test, type Page } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const few = "/sharing?policies.0.kind=dynamic_threshold&policies.1.kind=static";
// Eight senders into 200 kB: over within a millisecond, and some of it is lost.
const run = `${few}&page.mode=run&degree=8&size=64+kB&buffer=200+kB`;

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function opened(page: Page, address = few) {
  await page.goto(address);
  await expect(page.getByRole("region", { name: "Over time" }).locator(".main-svg").first()).toBeVisible();
}

async function ran(page: Page) {
  await page.goto(run);
  await page.getByRole("button", { name: "Run packets" }).click();
  await expect(page.getByRole("group", { name: "Queues, free memory, marks and drops over time" })).toBeVisible();
}

test("policies are judged side by side; an edit judges anew, lands in the address and survives a reload", async ({
  page,
}) => {
  await opened(page);
  await expect(row(page, "Dynamic threshold")).toContainText("✓ no loss");
  await expect(row(page, "Static partitioning")).toContainText("✕ loses");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("smallest α that loses nothing is 0.179");
  await page.getByRole("textbox", { name: /^Buffer/ }).fill("1 MB");
  await expect(row(page, "Dynamic threshold")).toContainText("✕ loses");
  await expect(page).toHaveURL(/buffer=1\+MB/);
  await page.reload();
  await expect(row(page, "Dynamic threshold")).toContainText("✕ loses");
});

test("a policy can be there twice with other parameters, and be left out", async ({ page }) => {
  await opened(page);
  await page.getByRole("combobox", { name: "Add a policy" }).selectOption({ label: "Dynamic threshold" });
  await expect(page).toHaveURL(/policies\.2\.kind=dynamic_threshold/);
  await page.getByRole("button", { name: "Dynamic threshold", exact: true, expanded: false }).nth(1).click();
  await page.getByRole("textbox", { name: /^Alpha/ }).fill("0.1");
  await expect(row(page, "alpha=0.1")).toContainText("✕ loses");
  await page.getByRole("button", { name: "Remove Static partitioning" }).click();
  await expect(row(page, "Static partitioning")).toHaveCount(0);
});

test("a trace replaces the incast, and what is wrong with it is said", async ({ page }) => {
  await opened(page);
  const lines = Array.from({ length: 40 }, (_, i) => `${i * 1e-7},${i % 2},1500,f${i % 4}`);
  const file = (text: string) => ({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.locator("input[type=file]").setInputFiles(file(["time,port,size,flow", ...lines, ""].join("\n")));
  await expect(page.getByText("40 packets, 60.0 kB, of 4 flows arrive within")).toBeVisible();
  await page.getByRole("button", { name: "Back to the incast" }).click();
  await expect(page.getByText("40 senders with 64.0 kB each")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(file("time,port,size\n0,zero,1500\n"));
  await expect(page.getByRole("alert").filter({ hasText: /line 2/ })).toBeVisible();
});

test("the same incast packet by packet shows the queue against its threshold, step by step", async ({ page }) => {
  await opened(page, run.replace("&page.mode=run", ""));
  await page.getByRole("button", { name: "the same incast packet by packet" }).click();
  await expect(page).toHaveURL(/page\.mode=run/);
  await page.getByRole("button", { name: "Run packets" }).click();
  const plots = page.getByRole("group", { name: "Queues, free memory, marks and drops over time" });
  await expect(plots).toBeVisible();
  const hair = plots.getByRole("slider");
  await hair.focus();
  const before = Number(await hair.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => Number(await hair.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
  await expect(hair).toHaveAttribute("aria-valuetext", /queue .*threshold 200 kB/);
  await expect(page).toHaveURL(/run\.study=/);
  await page.reload();
  await expect(plots).toBeVisible();
});

for (const scheme of ["light", "dark"] as const) {
  for (const [mode, open] of [
    ["policies alone", opened],
    ["packet run", ran],
  ] as const) {
    test(`${mode} is accessible and fits, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await open(page);
      await accessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await fits(page);
    });
  }
}
