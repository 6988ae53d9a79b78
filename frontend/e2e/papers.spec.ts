import { readFile } from "node:fs/promises";

import { expect, test, type Page } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const paper = "facebook-ebb";

type Target = { id: string; unit: string; published: unknown };

/** A run that is done: targets met, missed, not testable and undecided in turn, and one figure. */
async function judged(page: Page) {
  await page.route(`**/api/v1/papers/${paper}/runs/smoke`, async (route) => {
    const { targets } = (await (await page.request.get(`/api/v1/papers/${paper}`)).json()) as { targets: Target[] };
    const verdicts = ["met", "missed", "not_testable", "undecided"] as const;
    const found = targets.map((target, i) => {
      const verdict = verdicts[i % 4] ?? "met";
      const told = verdict === "not_testable" ? { ours: null, interval: null } : { ours: 12.5, interval: [12, 13] };
      return {
        ...target,
        ...told,
        verdict,
        reason: `because of ${i}`,
        tier: "smoke",
        samples: 100,
        replicas: 1,
        support: null,
        explanation: "",
        sensitivity: verdict === "missed" ? "a longer run" : "",
        shown_by: null,
      };
    });
    const figure = {
      id: "f",
      title: "Drops against utilisation",
      source: "Fig. 5",
      kind: "scatter",
      x: { title: "utilisation", unit: "1", log: false },
      y: { title: "drop rate", unit: "1", log: true },
      notes: ["made up"],
      published: [{ name: "published: B", x: [0.9], y: [1e-4], low: [], high: [], target: "FB-EBB-11" }],
      series: ["A", "B"].map((name, i) => ({
        name,
        x: [0.5, 0.7, 0.9],
        y: [1e-5, 1e-4, 1e-3 * (i + 1)],
        low: [],
        high: [],
      })),
    };
    const result = {
      tier: "smoke",
      targets: found,
      counts: { met: 9, missed: 8, undecided: 8, not_testable: 8 },
      simulation_counts: { met: 7, missed: 7, undecided: 6, not_testable: 6 },
      figures: [figure],
      runs: [],
      wall_s: 61,
    };
    await route.fulfill({
      json: { paper, tier: "smoke", status: "done", progress: 1, seconds_left: null, error: null, result },
    });
  });
}

test("papers are listed with their targets, and filters land in the address", async ({ page }) => {
  await page.goto("/papers?tier=smoke");
  await expect(page.getByRole("list", { name: "Papers" }).getByRole("button")).not.toHaveCount(0);
  const table = page.getByRole("group", { name: "Table of targets" });
  await expect(table).toContainText("FB-EBB-02");
  await expect(table).toContainText("○ not run");
  await page.getByRole("combobox", { name: "Confidence" }).selectOption("low");
  await expect(page).toHaveURL(/confidence=low/);
  await expect(table).not.toContainText("FB-EBB-02");
  await page.reload();
  await expect(table).toContainText("FB-EBB-05");
  await expect(table).not.toContainText("FB-EBB-02");
});

test("a paper that nobody ran here opens with the release's results, dated, and printed values on its figures", async ({
  page,
}) => {
  await page.goto(`/papers?paper=${paper}`);
  await expect(page.getByRole("main")).toContainText(
    /Results that came with version .*, from \d+ runs on 20\d\d-\d\d-\d\d/,
  );
  await expect(page.getByRole("status").filter({ hasText: /\d+ met/ })).toBeVisible();
  await expect(page.getByRole("group", { name: "Table of targets" })).toContainText("✓ met");
  await expect(page.getByRole("list", { name: "Papers" }).getByRole("button").first()).toContainText(
    /laptop on 20\d\d-/,
  );
  await page.getByRole("tab", { name: "Figures" }).click();
  const figure = page.getByRole("article", { name: "Drop rate against utilisation" });
  await expect(figure.getByRole("checkbox", { name: "published: C at 90 %" })).toBeChecked();
  await expect(figure.locator(".main-svg").first()).toBeVisible();
});

test("published beside ours with verdict and reason, and the figure with its values", async ({ page }) => {
  await judged(page);
  await page.goto(`/papers?paper=${paper}&tier=smoke`);
  await expect(
    page.getByRole("status").filter({ hasText: "9 met, 8 missed, 8 undecided, 8 not testable" }),
  ).toBeVisible();
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("missed");
  const table = page.getByRole("group", { name: "Table of targets" });
  await expect(table).toContainText("✕ missed");
  await expect(table).not.toContainText("✓ met");
  await expect(table).toContainText("A longer run.");
  await page.getByRole("tab", { name: "Figures" }).click();
  const figure = page.getByRole("article", { name: "Drops against utilisation" });
  await expect(figure.locator(".main-svg").first()).toBeVisible();
  await figure.getByRole("button", { name: "Show the values" }).click();
  await figure.getByRole("combobox", { name: "Curve" }).selectOption("B");
  await expect(figure.getByRole("table", { name: "B" }).getByRole("row")).toHaveCount(4);
});

test("the scenario behind a target opens where an assumption can be changed", async ({ page }) => {
  await judged(page);
  await page.goto(`/papers?paper=${paper}&tier=smoke`);
  await page.getByRole("button", { name: "Scenarios that decide FB-EBB-12" }).click();
  const table = page.getByRole("group", { name: "Table of scenarios" });
  await expect(table.getByRole("row")).not.toHaveCount(0);
  await expect(table).not.toContainText("FB-EBB A/0.98");
  await table.getByRole("link", { name: "Open FB-EBB C/0.98 in the buffer view" }).click();
  await expect(page).toHaveURL(/\/buffer\?/);
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("FB-EBB C/0.98, smoke");
  const load = page.getByRole("textbox", { name: /^Load/ });
  await expect(load).toHaveValue("98 %");
  await load.fill("0.9");
  await expect(page).toHaveURL(/traffic\.0\.load=0\.9(&|$)/);
  await expect(load).toBeFocused();
  await expect(page.getByRole("combobox", { name: "Scenario" })).toHaveValue("FB-EBB C/0.98, smoke, changed");
  await page.goBack();
  await expect(page).toHaveURL(/\/papers\?.*tab=scenarios/);
  await table.getByRole("link", { name: "Open FB-EBB C/0.98 as one packet run" }).click();
  await expect(page).toHaveURL(/\/sharing\?/);
  await expect(page.getByRole("button", { name: "Run packets" })).toBeEnabled();
});

test("a run that starts after the buffer view was left is not written into the next view's address", async ({
  page,
}) => {
  await judged(page);
  const hold: { release?: () => void } = {};
  const left = new Promise<void>((resolve) => (hold.release = resolve));
  await page.route("**/api/v1/studies", async (route) => {
    await left;
    await route.continue();
  });
  await page.goto(`/papers?paper=${paper}&tier=smoke&tab=scenarios`);
  const started = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("v1/studies"));
  await page.getByRole("link", { name: "Open FB-EBB C/0.98 in the buffer view" }).click();
  await started;
  await page.goBack();
  await expect(page).toHaveURL(/\/papers\?/);
  const answered = page.waitForResponse((response) => response.url().endsWith("v1/studies"));
  hold.release?.();
  await answered;
  await expect(page.getByRole("group", { name: "Table of scenarios" })).toBeVisible();
  await page.waitForTimeout(500);
  expect(new URL(page.url()).searchParams.get("study")).toBeNull();
  expect(new URL(page.url()).searchParams.get("tab")).toBe("scenarios");
});

test("figures and scenarios are taken away as files", async ({ page }) => {
  await judged(page);
  await page.goto(`/papers?paper=${paper}&tier=smoke&tab=figures`);
  const taken = async (name: string, within = page.getByRole("main")) => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      within.getByRole("button", { name, exact: true }).first().click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const csv = await taken("CSV");
  expect(csv.name).toBe(`footroom-${paper}-smoke-f.csv`);
  expect(csv.text.split("\n").slice(0, 2)).toEqual(["curve,utilisation,drop rate", "A,0.5,0.00001"]);
  await page.goto(`/papers?paper=${paper}&tier=smoke&tab=scenarios&target=FB-EBB-12`);
  const json = await taken("Download FB-EBB C/0.98 as JSON");
  expect((JSON.parse(json.text) as { name: string }).name).toBe("FB-EBB C/0.98");
});

test("a run is started by keyboard, tells its progress and can be stopped", async ({ page }) => {
  await page.goto(`/papers?paper=${paper}&tier=smoke`);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  const cancel = page.getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await cancel.click();
  await expect(page.getByRole("status").filter({ hasText: "Cancelled." })).toBeVisible();
  await page.goto("/papers?paper=nobody");
  await expect(page.getByText("There is no paper nobody")).toBeVisible();
});

for (const scheme of ["light", "dark"] as const) {
  test(`papers are accessible and fit, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await judged(page);
    for (const [tab, ready] of [
      ["targets", "because of 1"],
      ["figures", "made up"],
      ["scenarios", "scenarios behind the numbers"],
      ["assumptions", "What it cannot show"],
    ]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/papers?paper=${paper}&tier=smoke&tab=${tab ?? ""}`);
      await expect(page.getByRole("main")).toContainText(new RegExp(ready ?? "", "i"));
      await accessible(page, `${tab ?? ""}:`);
      await page.setViewportSize({ width: 390, height: 844 });
      await fits(page);
    }
  });
}
