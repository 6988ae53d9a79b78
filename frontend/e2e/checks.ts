import AxeBuilder from "@axe-core/playwright";
import { type APIRequestContext, type APIResponse, expect, type Page } from "@playwright/test";

/** Nothing on the page is out of date any more: that is shown pale, in contrasts that hold for a moment only. */
export async function settled(page: Page) {
  await expect(page.locator('[data-stale="true"], [aria-busy="true"]')).toHaveCount(0);
}

const isDark = (page: Page) => page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);

/**
 * The page has nothing that axe objects to. `where`: said with what it does object to. `look`: contrasts alone,
 * everything else alone, or all. Contrasts take as long as all else; they are the same at every size, and all else is
 * the same in the dark, where contrasts alone are looked at unless it is said otherwise.
 */
export async function accessible(page: Page, where = "", look?: "all" | "structure" | "colours") {
  await settled(page);
  const part = look ?? ((await isDark(page)) ? "colours" : "all");
  // "Legacy": looked at in the page itself. Otherwise axe sums up in a second page, which only frames from elsewhere
  // need; there are none, and it doubles the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (part === "colours") axe.withRules("color-contrast");
  if (part === "structure") axe.disableRules("color-contrast");
  const { violations } = await axe.analyze();
  expect(
    violations.map(({ id, nodes }) => `${where} ${id} ${nodes.map(({ html }) => html.slice(0, 140)).join(" | ")}`),
  ).toEqual([]);
}

/** The page is no wider than the window, once it has come to terms with the window's size. */
export async function fits(page: Page, where = "") {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow, where).toBeLessThanOrEqual(0);
}

/** The answer to a question. A server that is busy, or ran out of time for it, gave none and is asked again. */
export async function asked(request: APIRequestContext, path: string, data: object): Promise<APIResponse> {
  let sent = await request.post(path, { data });
  const none = async () => sent.status() === 503 || (await sent.text()).includes("/beyond-limits");
  await expect(async () => {
    if (await none()) sent = await request.post(path, { data });
    expect(await none(), await sent.text()).toBe(false);
  }).toPass();
  return sent;
}

/** What was copied last; to be polled, for copying takes its time. */
export const clipboard = (page: Page) => () => page.evaluate(() => navigator.clipboard.readText());
