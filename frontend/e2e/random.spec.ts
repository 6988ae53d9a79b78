import { expect, test, type Page } from "@playwright/test";

import { accessible } from "./checks.ts";
import { act, starts, store } from "./random/act.ts";
import { contradictions, unlikeCard } from "./random/agree.ts";
import { Draw } from "./random/draw.ts";
import { quiet, sound, watched } from "./random/watch.ts";

/** How long random edits go on, from which seed (`npm run fuzz` sets both), and how many make a walk. */
const SECONDS = Number(process.env.FOOTROOM_FUZZ_SECONDS ?? "30");
const SEED = Number(process.env.FOOTROOM_FUZZ_SEED ?? "1");
/** With the tests: as many walks as are the same on every machine. */
const ROUNDS = process.env.FOOTROOM_FUZZ_SECONDS === undefined ? 4 : Infinity;
const STEPS = Number(process.env.FOOTROOM_FUZZ_STEPS ?? "12");

/** From one address, some things done in a row; what they were, and what went wrong first. */
async function walk(page: Page, address: string, draw: Draw, until: number): Promise<string[]> {
  const seen = watched(page);
  const done: string[] = [address];
  if (new URL(address, "http://page").pathname === "/studies") await store(page);
  await page.goto(address);
  let typed = "";
  for (let step = 0; step < STEPS && Date.now() < until; step++) {
    // What vanishes under the pointer was replaced by a newer answer: nobody could have clicked it either.
    const made = await act(page, draw).catch((error: unknown) => {
      if (error instanceof Error && /Timeout|detached|not attached|closed/.test(error.message)) return undefined;
      throw error;
    });
    if (made === undefined || page.url() === "about:blank") continue;
    done.push(made.what);
    typed = made.typed;
    await page.waitForTimeout(350 + draw.below(500));
    const wrong = await sound(page, seen.faults, typed);
    if (wrong.length > 0) return [...done, ...wrong.map((one) => `✗ ${one}`)];
  }
  const invalid = await page.locator('[aria-invalid="true"]').count();
  if (invalid === 0) {
    await quiet(page, 120_000).catch(() => done.push("✗ never finishes computing"));
    const wrong = [...(await sound(page, seen.faults, typed)), ...(await contradictions(page))];
    done.push(...wrong.map((one) => `✗ ${one}`));
    if (Date.now() < until && !done.some((one) => one.startsWith("✗"))) {
      await accessible(page, done.join(" → "), "all");
      done.push(...(await unlikeCard(page)).map((one) => `✗ ${one}`));
    }
  }
  return done;
}

test("random edits of every view leave the page sound", async ({ browser }) => {
  test.setTimeout((SECONDS + 600) * 1000);
  const until = Date.now() + SECONDS * 1000;
  const found: string[] = [];
  let places: string[] = [];
  for (let round = 0; round < ROUNDS && Date.now() < until; round++) {
    const draw = new Draw(SEED * 1000 + round);
    const context = await browser.newContext({
      reducedMotion: "reduce",
      colorScheme: draw.one(["light", "dark"]),
      viewport: draw.one([
        { width: 1440, height: 900 },
        { width: 390, height: 844 },
      ]),
    });
    // Playwright waits without end for what was replaced meanwhile, which would take the rest of the time.
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    places = places.length > 0 ? places : await starts(page);
    // Seeds that follow one another begin at other places.
    const address = places[(SEED * 4 + round) % places.length] ?? "/";
    const done = await walk(page, address, draw, until).catch((error: unknown) => [
      address,
      `✗ ${error instanceof Error ? error.message : String(error)}`,
    ]);
    if (done.some((one) => one.startsWith("✗")))
      found.push(`seed ${SEED}, round ${round}:\n  ${done.join("\n  ")}\n  at ${page.url()}`);
    await context.close();
  }
  expect(found.join("\n\n")).toBe("");
});
