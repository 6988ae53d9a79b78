import type { Locator, Page } from "@playwright/test";

import type { Draw } from "./draw.ts";
import { VIEWS } from "../../src/lib/views.ts";

/** Where a walk may begin besides the plain views: in a state of its own, with its own panels. */
const STATES = [
  "/compare?a=wan-bottleneck",
  "/compare?a=tor-10g&b=dctcp-rack&c=short-flows",
  "/sharing?page.mode=run",
  "/headroom?page.section=pool",
];

/** Every preset and question, so with every topology, traffic, control and policy, as the server lists them. */
async function listed(page: Page): Promise<string[]> {
  const get = async (what: string) => (await (await page.request.get(`/api/v1/${what}`)).json()) as unknown;
  const { presets } = (await get("presets")) as { presets: { id: string }[] };
  const { questions } = (await get("questions")) as { questions: { number: number }[] };
  return [...presets.map(({ id }) => `/buffer?preset=${id}`), ...questions.map(({ number }) => `/questions/${number}`)];
}

/** A small study, so that the view of stored ones has a row to name, run again and remove. */
export async function store(page: Page) {
  const scenario = {
    topology: { kind: "dumbbell", bottleneck: "100 Mb/s", access: "1 Gb/s", rtt: "10 ms" },
    switch: { buffer: "100 kB" },
    traffic: [{ kind: "long_lived", flows: 3 }],
    run: { duration: "2 s", warmup: "1 s" },
  };
  await page.request.post("/api/v1/studies", { data: { scenario, engines: ["theory"] } });
}

/** Where a walk may begin: every view that the router knows, as it is and in other states. */
export const starts = async (page: Page) => [...VIEWS.map(({ path }) => path), ...STATES, ...(await listed(page))];

/** Buttons that leave the page alone, or would take minutes. */
const LEAVE_ALONE = /download|copy|save|choose a file|browse|simulate|^run\b|measure|import|open file/i;

export type Act = { what: string; typed: string };

/** Controls that a person could use now, in the order of the page. */
async function usable(page: Page, selector: string): Promise<Locator[]> {
  const all = page.locator(selector);
  const seen = await all.evaluateAll((elements) =>
    elements.map(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !(element as HTMLInputElement).disabled &&
        !(element as HTMLInputElement).readOnly &&
        element.getBoundingClientRect().width > 0,
    ),
  );
  return seen.flatMap((is, i) => (is ? [all.nth(i)] : []));
}

const nameOf = async (control: Locator) =>
  await control.evaluate((element) => {
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels?.[0] : null;
    return (element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent).slice(0, 60);
  });

/** A menu, set to one of its choices. */
async function menu(page: Page, draw: Draw): Promise<Act | undefined> {
  const menus = await usable(page, "select");
  if (menus.length === 0) return undefined;
  const control = draw.one(menus);
  const values = await control
    .locator("option:not([disabled])")
    .evaluateAll((options) =>
      options
        .filter((option) => option.closest("optgroup[disabled]") === null)
        .map((option) => (option as HTMLOptionElement).value),
    );
  if (values.length === 0) return undefined;
  const value = draw.one(values);
  const name = await nameOf(control);
  await control.selectOption(value);
  return { what: `${name} := ${value}`, typed: "" };
}

/** A field, typed over. */
async function field(page: Page, draw: Draw): Promise<Act | undefined> {
  const fields = await usable(
    page,
    "input:not([type=checkbox], [type=radio], [type=file], [type=range], [role=combobox]), textarea",
  );
  if (fields.length === 0) return undefined;
  const control = draw.one(fields);
  const name = await nameOf(control);
  const text = draw.text(await control.inputValue());
  await control.fill(text);
  if (draw.chance(0.8)) await control.blur();
  return { what: `${name} := ${JSON.stringify(text)}`, typed: text };
}

/** Anything to click: boxes, tabs, folds, buttons that add or remove. */
async function press(page: Page, draw: Draw): Promise<Act | undefined> {
  const all = await usable(
    page,
    "main input[type=checkbox], main input[type=radio], main [role=tab], main summary, main button, " +
      "aside button, header button",
  );
  if (all.length === 0) return undefined;
  const control = draw.one(all);
  const name = (await nameOf(control)).trim();
  // Rows of stored studies are saved and run again at once.
  const row = await control.evaluate((element) => element.closest("tr") !== null);
  if (LEAVE_ALONE.test(name) && !(row && /^(save|run again)/i.test(name))) return undefined;
  await control.click({ timeout: 5000 });
  await page.keyboard.press("Escape");
  return { what: `click ${name}`, typed: "" };
}

/** Every closed fold of the form at once, so that fields of parts within parts are reached as well. */
async function unfold(page: Page): Promise<Act | undefined> {
  const before = await page.locator("main [aria-expanded=false], main details:not([open]) > summary").count();
  if (before === 0) return undefined;
  for (let i = 0; i < 12; i++) {
    const [closed] = await usable(
      page,
      "main section [aria-expanded=false], aside [aria-expanded=false], main details:not([open]) > summary",
    );
    if (closed === undefined) break;
    await closed.click({ timeout: 2000 });
  }
  return { what: "open the folds", typed: "" };
}

/** An entry more or less: traffic, policies, cables, targets. */
async function grow(page: Page, draw: Draw): Promise<Act | undefined> {
  const all = await page.getByRole("button", { name: /^(\+|add|remove|×|drop)/i }).all();
  const seen = (await Promise.all(all.map(async (one) => ((await one.isVisible()) ? one : undefined)))).filter(
    (one) => one !== undefined,
  );
  if (seen.length === 0) return undefined;
  const control = draw.one(seen);
  const name = (await nameOf(control)).trim();
  await control.click({ timeout: 5000 });
  return { what: `click ${name}`, typed: "" };
}

/** One thing done while the server cannot be reached, which then is there again. */
async function offline(page: Page, draw: Draw): Promise<Act | undefined> {
  await page.context().setOffline(true);
  const done = await (draw.chance(0.5) ? field(page, draw) : menu(page, draw)).catch(() => undefined);
  await page.waitForTimeout(600);
  const main = (await page.getByRole("main").innerText()).trim();
  await page.context().setOffline(false);
  if (main.length < 40) throw new Error(`blank while offline: ${done?.what ?? ""}`);
  const again = page.getByRole("button", { name: "Try again" });
  if (await again.isVisible()) await again.click();
  return { what: `offline, ${done?.what ?? "nothing"}`, typed: done?.typed ?? "" };
}

/** Another view, another question, another chip or paper: whatever links there are. */
async function follow(page: Page, draw: Draw): Promise<Act | undefined> {
  const links = await usable(page, "a[href^='/']:not([download]):not([href^='/api'])");
  if (links.length === 0) return undefined;
  const control = draw.one(links);
  const name = await nameOf(control);
  await control.click({ timeout: 5000 });
  return { what: `follow ${name}`, typed: "" };
}

async function travel(page: Page, draw: Draw): Promise<Act> {
  const how = draw.one(["back", "forward", "reload"] as const);
  if (how === "back") {
    await page.goBack();
    await page.waitForTimeout(100);
    // Before the first page there is none.
    if (page.url() === "about:blank") await page.goForward();
  }
  if (how === "forward") await page.goForward();
  if (how === "reload") await page.reload();
  return { what: how, typed: "" };
}

/** One thing that a person might do; undefined where the page offers none of the kind that was drawn. */
export async function act(page: Page, draw: Draw): Promise<Act | undefined> {
  const lot = draw.below(100);
  if (lot < 36) return await field(page, draw);
  if (lot < 62) return await menu(page, draw);
  if (lot < 66) return await unfold(page);
  if (lot < 71) return await grow(page, draw);
  if (lot < 74) return await offline(page, draw);
  if (lot < 88) return await press(page, draw);
  if (lot < 94) return await travel(page, draw);
  return await follow(page, draw);
}
