import { expect, type Page } from "@playwright/test";

/** What went wrong behind the page: exceptions, errors on the console, responses of a server that failed. */
export function watched(page: Page): { faults: string[] } {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`exception: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    // Without a network the browser complains, as it should. A refused question is answered with
    // 4xx, and one for which there is no time yet with 503: the page asks again.
    if (message.type() === "error" && !/status of (4\d\d|503)|ERR_INTERNET_DISCONNECTED/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500 && response.status() !== 503)
      faults.push(`${response.status()} from ${response.url()}`);
  });
  return { faults };
}

/** Words that are no words: values that are none, and names of fields as the code has them. */
const WRONG = [
  /\bundefined\b/,
  /\bNaN\b/,
  /\bnull\b/,
  /\bNone (means|is|computes|keeps|leaves|lets)\b|\bNoneType\b|[=:] None\b/,
  /\[object \w+\]/,
  /[-−]?\bInfinity\b|\binf\b/,
  /\b(topology|traffic|switch|host|run|pool|page|question|body|over)\.(?!(?:py|md)\b)[a-z\d_]+/,
  /\b(objectives|congestion|marking|sharing)\.(?!(?:py|md)\b)[a-z\d_]+/,
  /\b[a-z]+(_[a-z\d]+)*\.\d+(\.[a-z_\d]+)?\b/,
  /Traceback|pydantic|ValidationError/,
];

/** Text a reader sees, without what is quoted as code, typed into fields, or written by the experimenter as data. */
async function visibleText(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const parts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (holder?.closest("code, pre, script, style, noscript, textarea, option, annotation") !== null) continue;
      if (holder.checkVisibility()) parts.push(node.textContent ?? "");
    }
    for (const holder of document.querySelectorAll("[aria-label], [aria-valuetext], [title], [placeholder]"))
      for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) {
        const text = holder.getAttribute(name);
        if (text !== null && holder.checkVisibility()) parts.push(text);
      }
    return parts.join("\n");
  });
}

/** What holds at any moment, whatever is still being computed. `typed`: texts that were typed and may be quoted. */
export async function sound(page: Page, faults: string[], typed: string): Promise<string[]> {
  const found = [...faults];
  const main = page.getByRole("main");
  await main.waitFor({ timeout: 30_000 }).catch(() => undefined);
  if ((await main.count()) !== 1) found.push("no main");
  else if ((await main.innerText()).trim().length < 40 && (await page.getByRole("status").count()) === 0)
    found.push(`blank main: ${await main.innerText()}`);
  const text = (await visibleText(page)).replaceAll(typed.trim() === "" ? "\u0000" : typed, "");
  for (const pattern of WRONG) {
    const match = pattern.exec(text);
    if (match !== null) {
      const from = Math.max(0, match.index - 80);
      found.push(`text: …${text.slice(from, match.index + 120).replaceAll("\n", " ⏎ ")}…`);
    }
  }
  const invalid = await page.locator('[aria-invalid="true"]').count();
  if (invalid > 0) {
    const live = await page
      .getByRole("button", { name: /^(Run|Simulate|Find)\b/ })
      .evaluateAll((buttons) =>
        buttons
          .filter(
            (button) =>
              !(button as HTMLButtonElement).disabled &&
              !button.hasAttribute("aria-expanded") &&
              button.checkVisibility(),
          )
          .map((b) => b.textContent),
      );
    if (live.length > 0) found.push(`${invalid} invalid fields, but live: ${live.join(", ")}`);
  }
  // Settled, a picture has something to show, or the page says why there is nothing.
  const busy = await page.locator('[data-stale="true"], [aria-busy="true"]').count();
  if (
    busy === 0 &&
    invalid === 0 &&
    text.includes("No values to draw") &&
    (await page.getByRole("alert").count()) === 0
  )
    found.push("blank picture, and no reason");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 1) found.push(`the page is ${wide} px too wide`);
  return found;
}

/**
 * Nothing is being computed any more, or the page says why it cannot be and greys what belongs to an earlier question.
 */
export async function quiet(page: Page, timeout: number) {
  const computing = page.locator('[data-stale="true"], [aria-busy="true"]');
  await expect
    .poll(async () => (await computing.count()) === 0 || (await page.getByRole("alert").count()) > 0, { timeout })
    .toBe(true);
}
