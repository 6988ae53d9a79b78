import type { Page } from "@playwright/test";

/** What the panels of the buffer view say at one moment, as text. */
type Panels = {
  /** Engine to the size its answer names, B as written. */
  sizes: Record<string, string>;
  /** Engine to its size as the verdict of the packets repeats it. */
  repeated: Record<string, string>;
  chosen: string;
  /** Engine, its values by metric, and what is said of them. */
  verdicts: { engine: string; values: string[]; sign: string }[];
  judged: string[];
  spoken: string;
  rows: { size: string; engine: string; values: string[] }[];
};

const UNITS: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function bytes(text: string): number | undefined {
  const [, number = "", unit = ""] = /([\d.]+)\s?([kMGT]?B)\b/.exec(text) ?? [];
  const factor = UNITS[unit];
  return number === "" || factor === undefined ? undefined : Number(number) * factor;
}

async function read(page: Page): Promise<Panels> {
  return await page.evaluate(() => {
    const text = (element: Element | null | undefined) => (element?.textContent ?? "").replaceAll("\u00a0", " ").trim();
    const answers = document.querySelector('section[aria-label="Smallest buffer"]');
    const sizes: Record<string, string> = {};
    for (const button of answers?.querySelectorAll("button[title^=Choose]") ?? []) {
      const engine = text(button.parentElement?.querySelector("span")).split(/\s/)[0] ?? "";
      sizes[engine] = (button.getAttribute("title") ?? "").replace("Choose ", "");
    }
    const repeated: Record<string, string> = {};
    for (const [, engine = "", size = ""] of text(answers?.querySelector("[data-verdict]")).matchAll(
      /\b(theory|fluid) has ([\d.]+ [kMGT]?B)/gi,
    ))
      repeated[engine.toLowerCase()] = size;
    const chosen = document.querySelector('section[aria-label="Chosen buffer"]');
    const verdicts = [...(chosen?.querySelectorAll("tbody tr") ?? [])].map((row) => {
      const cells = [...row.querySelectorAll("td")].map(text);
      return {
        engine: text(row.querySelector("th")).split(/\s/)[0] ?? "",
        values: cells.slice(0, -1),
        sign: cells.at(-1) ?? "",
      };
    });
    const judged = [...(chosen?.querySelectorAll("thead th") ?? [])].map(text).slice(1, -1);
    const spoken = [...document.querySelectorAll("p")]
      .map(text)
      .find((one) => one.startsWith("Plots against the buffer"));
    const table = document.querySelector('section[aria-label="Answer"] table tbody');
    const rows = [...(table?.querySelectorAll("tr") ?? [])].map((row) => ({
      size: text(row.querySelector("th")),
      engine: text(row.querySelector("td")),
      values: [...row.querySelectorAll("td")].slice(1).map(text),
    }));
    return { sizes, repeated, chosen: text(chosen?.querySelector("h2")), verdicts, judged, spoken: spoken ?? "", rows };
  });
}

/**
 * What the page says of every engine, metric and size, with all the texts that say it. More than one text is a
 * contradiction, wherever the elements stand.
 */
export async function claims(page: Page): Promise<Map<string, Set<string>>> {
  const said = await page
    .locator("[data-engine][data-metric][data-size]")
    .evaluateAll((elements) =>
      (elements as HTMLElement[])
        .filter((element) => element.checkVisibility())
        .map(({ dataset, textContent }) => [
          `${dataset.metric ?? ""} by ${dataset.engine ?? ""} at ${dataset.size ?? ""} B`,
          textContent.replaceAll("\u00a0", " ").trim(),
        ]),
    );
  const found = new Map<string, Set<string>>();
  for (const [what = "", text = ""] of said) found.set(what, (found.get(what) ?? new Set()).add(text));
  return found;
}

const END = String.raw`((?:< )?[^ ]+(?: [^ ]+)?) at ([\d.]+ [kMGT]?B)`;
/** What a plot is told as: the title, the engine and both ends of a curve. */
const CURVE = new RegExp(String.raw`([A-Z][^.:]*?) by (\w+): from ${END} to ${END}\.`, "g");

/** Sizes written with three digits differ by less. */
const ROUNDED = 1.03;

/** Where two panels of the buffer view contradict one another. */
export async function contradictions(page: Page): Promise<string[]> {
  if (new URL(page.url()).pathname !== "/buffer") return [];
  const unlike = [...(await claims(page))].filter(([, texts]) => texts.size > 1);
  const { sizes, repeated, chosen, verdicts, judged, spoken, rows } = await read(page);
  const found: string[] = unlike.map(([what, texts]) => `${what}: ${[...texts].join(" and ")}`);
  const own = bytes(chosen);
  // Larger is better for these two alone: the others have a largest size as well.
  const rising = judged.every((metric) => /^(utilisation|drop rate)/i.test(metric));
  for (const { engine, sign } of verdicts) {
    const size = bytes(sizes[engine] ?? "");
    if (size === undefined || own === undefined) continue;
    if (sign === "enough" && rising && own * ROUNDED < size)
      found.push(`${engine} needs ${sizes[engine] ?? ""}, but says of ${chosen}: ${sign}`);
    if (sign === "too small" && rising && own > size * ROUNDED)
      found.push(`${engine} needs only ${sizes[engine] ?? ""}, but says of ${chosen}: ${sign}`);
  }
  for (const [engine, size] of Object.entries(repeated))
    if (sizes[engine] !== undefined && sizes[engine] !== size)
      found.push(`${engine} has ${sizes[engine]}, and ${size} beside the packets`);
  // The ends of every curve, as they are told, are rows of the table.
  for (const [, title = "", engine = "", ...ends] of spoken.matchAll(CURVE))
    for (const [value = "", size = ""] of [ends.slice(0, 2), ends.slice(2)]) {
      const same = rows.filter((row) => row.engine === engine && row.size === size);
      if (same.length > 0 && !same.some(({ values }) => values.includes(value)))
        found.push(
          `${title} by ${engine} at ${size}: ${value} in the plot, ${same[0]?.values.join(", ") ?? ""} in the table`,
        );
    }
  return found;
}

/** Where the number of a question's page is not that of its card. Leaves the page for the start page. */
export async function unlikeCard(page: Page): Promise<string[]> {
  const { pathname, search } = new URL(page.url());
  if (!pathname.startsWith("/questions/") || search !== "") return [];
  const title = await page.getByRole("heading", { level: 1 }).innerText();
  const sentence = page.getByRole("status", { name: "Answer" }).locator("p b");
  if ((await sentence.count()) !== 1) return [];
  const own = (await sentence.innerText()).trim();
  await page.getByRole("link", { name: "All questions" }).click();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: title, exact: true }) });
  const number = card.locator("b");
  await number.waitFor({ timeout: 60_000 }).catch(() => undefined);
  const shown = (await number.count()) === 1 ? (await number.innerText()).trim() : own;
  return shown === own ? [] : [`${own} on the page of “${title}”, ${shown} on its card`];
}
