import { expect, test } from "@playwright/test";

type Question = { id: string; question: string; link: string; answerable: boolean };

test("a question opens its view with its values filled in", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("How much buffer does this switch need, and set how?");
  const row = page.getByRole("listitem").filter({ hasText: "400G port with 300 m" });
  await expect(row).toContainText(/\d+–\d+ kB/);
  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/headroom\?speed=400\+Gb/);
  await expect(page.getByRole("textbox", { name: /^Speed/ })).toHaveValue("400 Gb/s");
  await expect(page.getByRole("textbox", { name: "Cable", exact: true })).toHaveValue("300 m");
  await expect(page.getByRole("combobox", { name: "Switch chip" })).toHaveValue("tomahawk5");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("of headroom for 400 Gb/s over 300 m");
  await page.goBack();
  await expect(page.getByRole("listitem").filter({ hasText: "400G port with 300 m" })).toBeVisible();
});

test("every question that is answered leads to a view that takes its values", async ({ page, request }) => {
  const { questions } = (await (await request.get("/api/v1/questions")).json()) as { questions: Question[] };
  const answered = questions.filter(({ answerable }) => answerable);
  expect(answered.length).toBeGreaterThanOrEqual(15);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  for (const { id, link } of answered) {
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 }), id).toBeAttached();
    await expect(page.getByRole("main"), id).toContainText(/\d\s?(B|kB|MB|ms|%)/);
    await expect(page.locator("[aria-invalid=true]"), id).toHaveCount(0);
  }
  expect(faults).toEqual([]);
});

test("the views are reached by keyboard, and each is found as it was left", async ({ page }) => {
  await page.goto("/voq?line_cards=8");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("78.1 MB");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "Headroom" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Cable", exact: true }).fill("77 m");
  await expect(page).toHaveURL(/cable=77\+m/);
  await views.getByRole("link", { name: "Questions" }).click();
  await expect(views.getByRole("link", { name: "Questions" })).toHaveAttribute("aria-current", "page");
  await views.getByRole("link", { name: "Headroom" }).click();
  await expect(page.getByRole("textbox", { name: "Cable", exact: true })).toHaveValue("77 m");
});
