import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Nothing on the page is out of date any more: that is shown pale, in contrasts that hold for a moment only. */
export async function settled(page: Page) {
  await expect(page.locator('[data-stale="true"], [aria-busy="true"]')).toHaveCount(0);
}

/**
 * The page has nothing that axe objects to. `where`: said with what it does object to. `colours`: whether contrasts are
 * looked at too, which takes as long as all else; they are the same at every size.
 */
export async function accessible(page: Page, where = "", colours = true) {
  await settled(page);
  // "Legacy": looked at in the page itself. Otherwise axe sums up in a second page, which only frames from elsewhere
  // need; there are none, and it doubles the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .disableRules(colours ? [] : ["color-contrast"])
    .analyze();
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

/** What was copied last; to be polled, for copying takes its time. */
export const clipboard = (page: Page) => () => page.evaluate(() => navigator.clipboard.readText());
