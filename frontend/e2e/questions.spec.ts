import { expect, test, type Page } from "@playwright/test";

import { accessible, fits, settled } from "./checks";

type Question = { id: string; question: string; link: string; answerable: boolean };

const cardOf = (page: Page, question: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name: question, exact: true }) });

/** Tables, figures and sentences of the answer and of the open section that the window shows no or only a part of. */
const hidden = (page: Page) =>
  page.evaluate(() => {
    const seen = (part: Element) => {
      const { top, bottom, left, right } = part.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth;
    };
    const parts = [
      ...document.querySelectorAll("#answer p, #answer b"),
      ...document.querySelectorAll("main section:first-of-type :is(table, svg, p, li, h2)"),
    ];
    return parts
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().width > 1 && !seen(part))
      .map((part) => `${part.tagName} ${part.textContent.slice(0, 60)}`);
  });

/** What goes wrong in the page itself. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}

test("every question of the start page opens a page that answers it first, with the number of its card", async ({
  page,
  request,
}) => {
  const { questions } = (await (await request.get("/api/v1/questions")).json()) as { questions: Question[] };
  const answered = questions.filter(({ answerable }) => answerable);
  expect(answered).toHaveLength(19);
  const faults = faultsOf(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "How much buffer does this switch need, and set how?",
  );
  for (const { id, question } of answered) {
    const number = cardOf(page, question).locator("b");
    const sentence = page.getByRole("status", { name: "Answer" }).locator("p");
    let shown = "";
    // Packets may finish between the card and the page: then both are read once more.
    await expect(async () => {
      if (new URL(page.url()).pathname !== "/") await page.getByRole("link", { name: "All questions" }).click();
      await expect(number, id).toHaveText(/\S/);
      shown = (await number.innerText()).trim();
      await page.getByRole("link", { name: question, exact: true }).click();
      await expect(page, id).toHaveURL(new RegExp(`/questions/${id}$`));
      await expect(page.getByRole("heading", { level: 1 }), id).toHaveText(question);
      await expect(sentence.locator("b"), id).toHaveText(shown, { timeout: 10_000 });
    }).toPass({ timeout: 240_000 });
    expect(shown, id).toMatch(/\d/);
    await expect(sentence, id).toHaveText(/\w+ .*\.$/s);
    // One section is open, with something in it; the others are folded.
    const evidence = page.locator("main section").first();
    await expect(evidence, id).toHaveText(/\d.*\d/s);
    await settled(page);
    await expect
      .poll(() => hidden(page), `${id}: what of the answer and its evidence has to be scrolled to`)
      .toEqual([]);
    await expect(
      page
        .locator("main [aria-expanded=true]")
        .locator("visible=true")
        .filter({ hasText: /Command and source/ }),
      id,
    ).toHaveCount(0);
    // What does not fit the chip is an answer, not a fault.
    await expect(page.getByRole("alert").filter({ hasNotText: "It does not fit." }), id).toHaveCount(0);
    await expect(page.locator("[aria-invalid=true]"), id).toHaveCount(0);
    await accessible(page, id);
    await page.getByRole("link", { name: "All questions" }).click();
  }
  expect(faults).toEqual([]);
});

test("on a phone the answer stands before the form, and nothing is wider than the screen", async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { questions } = (await (await request.get("/api/v1/questions")).json()) as { questions: Question[] };
  for (const { id } of questions) {
    await page.goto(`/questions/${id}`);
    const sentence = page.getByRole("status", { name: "Answer" }).locator("p b");
    await expect(sentence, id).toHaveText(/\d/);
    const [answer, form] = [
      await sentence.boundingBox(),
      await page.getByRole("complementary", { name: "Your values" }).boundingBox(),
    ];
    expect(answer?.y ?? 1e9, id).toBeLessThan(form?.y ?? 0);
    expect(answer?.y ?? 1e9, id).toBeLessThan(844);
    await fits(page, id);
  }
});

test("a changed value changes the answer, stays in the address and goes along to the full view", async ({ page }) => {
  await page.goto("/questions/headroom-400g-300m");
  const sentence = page.getByRole("status", { name: "Answer" }).locator("p");
  await expect(sentence).toContainText("over 300 m");
  const before = await sentence.locator("b").innerText();
  await page.getByRole("textbox", { name: "Cable", exact: true }).fill("40 m");
  await expect(page).toHaveURL(/cable=40\+m/);
  await expect(sentence).toContainText("over 40.0 m");
  await expect(sentence.locator("b")).not.toHaveText(before);
  await page.getByRole("link", { name: "All fields, in Headroom" }).click();
  await expect(page.getByRole("textbox", { name: "Cable", exact: true })).toHaveValue("40 m");
  await expect(page.getByRole("combobox", { name: "Switch chip" })).toHaveValue("tomahawk5");
  await page.goBack();
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(sentence.locator("b")).toHaveText(before);
});

test("the full view of every question takes its values", async ({ page, request }) => {
  const { questions } = (await (await request.get("/api/v1/questions")).json()) as { questions: Question[] };
  const faults = faultsOf(page);
  for (const { id, link } of questions) {
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1 }), id).toBeAttached();
    await expect(page.getByRole("main"), id).toContainText(/\d\s?(B|kB|MB|ms|%)/);
    await expect(page.locator("[aria-invalid=true]"), id).toHaveCount(0);
  }
  expect(faults).toEqual([]);
});

test("a long list is shown whole in its field", async ({ page }) => {
  await page.goto("/questions/fits-the-chip");
  const pools = page.getByRole("textbox", { name: "Pools" });
  await expect(pools).toHaveValue("ingress_lossless_pool=258035400+81553920");
  const cut = () => pools.evaluate((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
  await expect.poll(cut).toBe(false);
  await pools.fill(
    "ingress_lossless_pool=258035400+81553920,egress_lossless_pool=158035400,egress_lossy_pool=58035400",
  );
  await expect.poll(cut).toBe(false);
});

test("policies have no identifiers for names while the names are on their way", async ({ page }) => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/catalog", async (route) => {
    await released;
    await route.continue();
  });
  const emulated = page.waitForResponse("**/api/v1/emulate");
  await page.goto("/questions/incast-alpha");
  await emulated;
  const evidence = page.getByRole("region", { name: "Each policy at its usual settings" });
  await expect(evidence.getByRole("row").nth(1)).toBeVisible();
  expect(await page.locator("main").innerText()).not.toMatch(/dynamic_threshold|smartbuf|edt/);
  release();
  await expect(evidence).toContainText("Dynamic threshold");
});

test("an unknown question says so", async ({ page }) => {
  await page.goto("/questions/nosuch");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unknown question “nosuch”");
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
