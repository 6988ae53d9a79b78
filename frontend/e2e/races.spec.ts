import { expect, test, type Page } from "@playwright/test";

/** Requests to `url` wait until they are let go; what comes before `hold` goes through. */
async function gate(page: Page, url: string, method = "POST") {
  let held = false;
  let open: () => void = () => undefined;
  let left = Promise.resolve();
  await page.route(url, async (route) => {
    if (held && route.request().method() === method) await left;
    await route.continue().catch(() => undefined);
  });
  return {
    hold: () => {
      held = true;
      left = new Promise((resolve) => (open = resolve));
    },
    release: () => {
      held = false;
      open();
    },
  };
}

const asked = (page: Page, path: string) =>
  page.waitForRequest((request) => request.method() === "POST" && new URL(request.url()).pathname === path);
const answered = (page: Page, path: string) =>
  page.waitForResponse(
    (response) => response.request().method() === "POST" && new URL(response.url()).pathname === path,
  );

test("a packet run that starts after its scenario changed is none of the new scenario", async ({ page }) => {
  const studies = await gate(page, "**/api/v1/studies");
  await page.goto("/sharing?page.mode=run");
  const buffer = page.getByRole("textbox", { name: /^Buffer/ });
  await expect(buffer).toHaveValue("16 MB");
  studies.hold();
  const started = asked(page, "/api/v1/studies");
  await page.getByRole("button", { name: "Run packets" }).click();
  await started;
  await buffer.fill("8 MB");
  await buffer.blur();
  await expect(page).toHaveURL(/switch\.buffer=8\+MB/);
  const gone = page.waitForRequest((request) => request.method() === "DELETE");
  studies.release();
  await gone;
  await page.waitForTimeout(500);
  expect(new URL(page.url()).searchParams.get("run.study")).toBeNull();
  await expect(page.getByRole("button", { name: "Run packets" })).toBeEnabled();
});

test("a packet run of an incast has the values on the page, whatever was answered last", async ({ page }) => {
  const emulate = await gate(page, "**/api/v1/emulate");
  await page.goto("/sharing?degree=8&size=64+KiB");
  const open = page.getByRole("button", { name: "the same incast packet by packet" });
  await expect(open).toBeVisible();
  emulate.hold();
  const sent = asked(page, "/api/v1/emulate");
  const degree = page.getByRole("textbox", { name: /^Degree/ });
  await degree.fill("12");
  await degree.blur();
  await sent;
  await open.click();
  await expect(page).toHaveURL(/page\.mode=run/);
  await expect(page.getByRole("textbox", { name: /^Degree/ })).toHaveValue("12");
  emulate.release();
});

test("a paper's run stays that paper's when another one is opened before it has started", async ({ page }) => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/papers/*/run?*", async (route) => {
    await released;
    const paper = new URL(route.request().url()).pathname.split("/")[4] ?? "";
    const under = { status: "running", progress: 0.5, seconds_left: 9, error: null, result: null };
    await route.fulfill({ json: { paper, tier: "smoke", ...under } });
  });
  await page.goto("/papers?paper=facebook-ebb&tier=smoke");
  const button = page.getByRole("button", { name: "Run", exact: true });
  await expect(button).toBeEnabled();
  const started = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/run?"));
  await button.click();
  await started;
  const other = page.getByRole("list", { name: "Papers" }).getByRole("button").nth(1);
  await other.click();
  await expect(page).not.toHaveURL(/paper=facebook-ebb/);
  // Nothing is being started there.
  await expect(button).toBeEnabled();
  release();
  // Before the other paper is asked how it stands once more.
  await page.waitForTimeout(300);
  await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  await expect(button).toBeEnabled();
});

for (const [address, field, path, place] of [
  ["/questions/voq-limit", "Line cards", "/api/v1/voq", "Answer"],
  ["/voq", "Line cards", "/api/v1/voq", undefined],
  ["/questions/headroom-400g-300m", "Cable", "/api/v1/headroom", "Headroom by each scheme"],
  ["/headroom", "Cable", "/api/v1/headroom", "One scheme"],
  ["/questions/incast-alpha", "Degree", "/api/v1/emulate", "Each policy at its usual settings"],
] as const)
  test(`what answers earlier values is grey until the new ones are answered: ${address}`, async ({ page }) => {
    const api = await gate(page, `**${path}`);
    await page.goto(address);
    const shown =
      place === undefined
        ? page.getByRole("heading", { level: 1 }).filter({ hasText: /\d/ })
        : page.getByLabel(place, { exact: true }).first();
    await expect(shown).toContainText(/\d/);
    const stale = page.locator('[data-stale="true"]').filter({ hasText: /\d/ });
    await expect(stale).toHaveCount(0);
    // The names of what is listed come with an answer of their own.
    await page.waitForLoadState("networkidle");
    const before = await shown.innerText();
    api.hold();
    const sent = asked(page, path);
    await page
      .getByRole("textbox", { name: new RegExp(`^${field}`) })
      .first()
      .fill("7");
    await sent;
    await expect(stale.first()).toBeVisible();
    // A sentence repeats the values that it answers, never the new ones before they are answered.
    expect(await shown.innerText()).toBe(before);
    const back = answered(page, path);
    api.release();
    await back;
    await expect(stale).toHaveCount(0);
    await expect(shown).not.toHaveText(before);
  });

test("a choice of headroom that is answered after another preset was picked leaves that preset alone", async ({
  page,
}) => {
  const memory = await gate(page, "**/api/v1/memory");
  await page.goto("/buffer?preset=wan-bottleneck");
  const headroom = page.getByRole("combobox", { name: /^Headroom/ });
  const open = page.getByRole("button", { name: /^(Advanced: )?Switch/ });
  await expect(open.or(headroom).first()).toBeVisible();
  if (!(await headroom.isVisible())) await open.first().click();
  memory.hold();
  const sent = asked(page, "/api/v1/memory");
  await headroom.selectOption("static_independent");
  await sent;
  await page.getByRole("combobox", { name: "Scenario" }).first().selectOption("tor-10g");
  await expect(page).toHaveURL(/preset=tor-10g/);
  memory.release();
  await page.waitForTimeout(1000);
  expect(page.url()).not.toContain("static_independent");
});
