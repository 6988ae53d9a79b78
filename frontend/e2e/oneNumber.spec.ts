import { expect, test } from "@playwright/test";

import { asked, settled } from "./checks";

const UNITS: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 };
const NEED = "utilisation>=0.97";

type Preset = { scenario: Record<string, unknown>; engines: string[] };

/** A size as the page writes it, B. */
function bytes(text: string): number {
  const [, number = "", unit = ""] = /([\d.]+)\s([kMG]?B)/.exec(text.replaceAll("\u00a0", " ")) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

test("the smallest buffer of every preset is the one that the API, and so the command line, solves", async ({
  page,
  request,
}) => {
  test.setTimeout(1_800_000);
  const { presets } = (await (await request.get("/api/v1/presets")).json()) as { presets: { id: string }[] };
  expect(presets.length).toBeGreaterThan(25);
  let compared = 0;
  for (const { id } of presets) {
    const { scenario, engines } = (await (await request.get(`/api/v1/presets/${id}`)).json()) as Preset;
    // What packets alone answer is compared with the command line elsewhere.
    if (!engines.some((engine) => engine === "theory" || engine === "fluid")) continue;
    await page.goto(`/buffer?preset=${id}&engines=theory,fluid&need=${encodeURIComponent(NEED)}`);
    const answers = page.getByRole("region", { name: "Smallest buffer" });
    const refused = page.getByRole("alert").or(page.getByText("This scenario needs the packet"));
    await expect(answers.or(refused).first(), id).toBeVisible();
    await settled(page);
    for (const engine of ["theory", "fluid"]) {
      const sent = await asked(request, "/api/v1/size", { scenario, require: [NEED], engine });
      const solved = (await sent.json()) as { feasible?: boolean; value?: number | null };
      const size = answers
        .locator("div")
        .filter({ has: page.locator("span", { hasText: new RegExp(`^${engine}$`) }) })
        .locator("button[title^=Choose]");
      expect([200, 422], `${id}, ${engine}`).toContain(sent.status());
      if (solved.feasible !== true || typeof solved.value !== "number") {
        await expect(size, `${id}, ${engine}: no size`).toHaveCount(0);
        continue;
      }
      // A scenario whose curve the engine does not draw has no answer to compare.
      if ((await size.count()) === 0) continue;
      await expect(answers.getByText("solving for the exact one"), id).toHaveCount(0);
      const shown = bytes((await size.getAttribute("title")) ?? "");
      expect(Math.abs(shown / solved.value - 1), `${id}, ${engine}: ${shown} and ${solved.value}`).toBeLessThan(0.006);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(15);
});
