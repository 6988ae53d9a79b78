import { expect, test, type Page } from "@playwright/test";

import { accessible, clipboard, fits } from "./checks.ts";

/** Small enough to be simulated in a second or two. */
const quick =
  "/buffer?preset=wan-bottleneck&topology.kind=dumbbell&topology.bottleneck=100+Mb/s&topology.rtt=10+ms&switch.buffer=50+kB" +
  "&traffic.0.kind=long_lived&traffic.0.flows=5&run.duration=3+s&run.warmup=1+s&over=10kB:200kB:log9&packet=3x2";

async function opened(page: Page, address: string) {
  await page.goto(address);
  await expect(page.locator(".main-svg").first()).toBeVisible();
}

const answer = (page: Page) => page.getByRole("region", { name: "Smallest buffer" });

test("the page opens with the curves of theory and fluid and an answer in words", async ({ page }) => {
  await opened(page, "/buffer");
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("wan-bottleneck");
  await expect(page.locator("path.js-line")).not.toHaveCount(0);
  await expect(answer(page)).toContainText("theory");
  await expect(answer(page)).toContainText("fluid");
});

test("an edit redraws, lands in the address and survives a reload", async ({ page }) => {
  await opened(page, quick);
  const curve = page.locator("path.js-line").first();
  const before = await curve.getAttribute("d");
  await page.getByRole("textbox", { name: /^Flows/ }).fill("40");
  await expect(curve).not.toHaveAttribute("d", before ?? "");
  await expect(page).toHaveURL(/traffic\.0\.flows=40/);
  await page.reload();
  await expect(page.getByRole("textbox", { name: /^Flows/ })).toHaveValue("40");
});

test("a field that makes no sense says so where it is", async ({ page }) => {
  await opened(page, quick);
  const buffer = page.getByRole("textbox", { name: /^Buffer B/ });
  await buffer.fill("50 kb");
  await expect(buffer).toHaveAccessibleDescription(/is bits/);
  await buffer.fill("100 B");
  await expect(buffer).toHaveAccessibleDescription(/packet/);
  await expect(page.getByRole("alert").getByRole("link", { name: /Buffer/ })).toBeVisible();
});

test("packets run on Ctrl+Enter, stream in, and come back with the link", async ({ page }) => {
  await opened(page, quick);
  await expect(page.getByRole("button", { name: "Run packets" })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/study=/);
  await page.getByRole("tab", { name: "Values" }).click();
  await expect(page.getByRole("row", { name: /packet/ })).toHaveCount(3);
  await expect(page.getByRole("button", { name: "Run packets" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("row", { name: /packet/ })).toHaveCount(3);
});

test("a scale says what it keeps, scales the packets alone, and refuses what leaves nothing", async ({ page }) => {
  await opened(page, quick.replace("flows=5", "flows=20").replace("100+Mb/s", "1+Gb/s").replace("3x2", "2x1"));
  const scale = page.getByRole("textbox", { name: /^Scale of the packet run/ });
  await scale.fill("40");
  await expect(page.getByRole("alert").filter({ hasText: "at most 20" })).toBeVisible();
  await expect(scale).toHaveAttribute("aria-invalid", "true");
  await scale.fill("-1");
  await expect(page).toHaveURL(/scale=40/);
  await scale.fill("10");
  const note = page.getByRole("region", { name: "Scaling" });
  await expect(note).toContainText("Scaled by 10");
  await note.getByText("What is kept and what is not").click();
  await expect(note).toContainText("Bottleneck");
  await expect(page.getByRole("button", { name: "Run packets" })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/study=/);
  await page.getByRole("tab", { name: "Values" }).click();
  await expect(page.getByRole("row", { name: /packet/ })).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("textbox", { name: /^Scale of the packet run/ })).toHaveValue("10");
});

test("Escape stops a run and keeps what is finished", async ({ page }) => {
  await opened(
    page,
    `${quick.replace("run.duration=3+s", "run.duration=400+s").replace("100+Mb/s", "1+Gb/s")}&packet=9x9`,
  );
  await page.getByRole("button", { name: "Run packets" }).click();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(page).toHaveURL(/study=/);
  await page.keyboard.press("Escape");
  await expect(page.getByText(/^Cancelled/)).toBeVisible();
});

test("the cross-hair is read and moved by the keyboard, and Enter chooses the size", async ({ page }) => {
  await opened(page, quick);
  await expect(answer(page)).toContainText("fluid"); // what comes later would change what is read
  const hair = page.getByRole("slider", { name: "Buffer under the cross-hair" });
  await hair.focus();
  const before = await hair.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowRight");
  await expect(hair).not.toHaveAttribute("aria-valuetext", before ?? "");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: /^Buffer B/ })).toHaveValue("10.0 kB");
});

test("the third plot has the completion time of a transfer whose size lands in the address", async ({ page }) => {
  await opened(page, quick);
  const size = page.getByRole("combobox", { name: "Size of the transfer" });
  await expect(size).toHaveValue("1 MB");
  const before = await page.getByRole("textbox", { name: /^Buffer B/ }).inputValue();
  await size.selectOption("10 kB");
  await expect(page).toHaveURL(/run\.transfer=10\+kB/);
  await page.getByRole("checkbox", { name: "probes" }).check();
  await expect(page).toHaveURL(/run\.probe_share=0\.01/);
  // A click on a control chooses no size.
  await expect(page.getByRole("textbox", { name: /^Buffer B/ })).toHaveValue(before);
  const hair = page.getByRole("slider", { name: "Buffer under the cross-hair" });
  await expect(hair).toHaveAttribute("aria-valuetext", /Completion time of 10 kB: theory .*, 99th percentile .*fluid/);
  await page.getByRole("tab", { name: "Values" }).click();
  await expect(page.getByRole("columnheader", { name: "Transfer p99" })).toBeVisible();
});

test("the scenario is pinned as the baseline and compared", async ({ page }) => {
  await opened(page, quick);
  await page.getByRole("button", { name: "Pin as baseline" }).click();
  await page.getByRole("textbox", { name: /^Flows/ }).fill("30");
  await expect(page.getByRole("group", { name: "Comparison" })).toContainText("Flows 5 → 30");
  await expect(page).toHaveURL(/a\.traffic\.0\.flows=5/);
});

test("numbers, picture and code can be taken away", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened(page, quick);
  await expect(answer(page)).toContainText("fluid");
  const take = async (name: string) => {
    await page.getByRole("button", { name: "Copy or download" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), take(name)]);
    return download.suggestedFilename();
  };
  await take("Copy as Python");
  await expect.poll(clipboard(page)).toContain("fr.sweep(scenario, over=");
  await take("Copy as curl");
  await expect.poll(clipboard(page)).toContain("/api/v1/estimates");
  expect(await saved("Download CSV")).toBe("footroom-wan-bottleneck.csv");
  expect(await saved("Download PNG")).toBe("footroom-wan-bottleneck.png");
});

test("a link from before there were views still leads to its scenario", async ({ page }) => {
  await opened(page, quick.replace("/buffer?", "/?"));
  await expect(page).toHaveURL(/\/buffer\?/);
  await expect(page.getByRole("textbox", { name: /^Flows/ })).toHaveValue("5");
});

for (const { name, width, height, scheme } of [
  { name: "light", width: 1440, height: 900, scheme: "light" },
  { name: "dark", width: 1440, height: 900, scheme: "dark" },
  { name: "narrow", width: 390, height: 844, scheme: "light" },
] as const) {
  test(`the page is accessible and fits, ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await opened(page, quick);
    await expect(answer(page)).toContainText("fluid");
    for (const tab of ["Answer", "Explain", "Values"]) {
      await page.getByRole("tab", { name: tab }).click();
      await accessible(page, `${tab}:`);
    }
    await fits(page);
  });
}
