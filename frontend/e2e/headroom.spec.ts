import { readFileSync } from "node:fs";

import { expect, test, type Page } from "@playwright/test";

import { accessible, clipboard } from "./checks.ts";

const link = "/headroom?speed=100+Gb/s&cable=300+m&asic=tomahawk";

async function opened(page: Page, address = link) {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("of headroom");
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const cable = (page: Page) => page.getByRole("textbox", { name: "Cable", exact: true });
const pool = (page: Page) => page.getByRole("region", { name: "Pool", exact: true });

test("numbers outside what their scheme holds for are faded, say so, and are never enough", async ({ page }) => {
  await page.goto("/headroom?speed=1.6+Tb/s&configured=9+MB&page.scheme=ieee");
  const schemes = page.getByRole("region", { name: "Schemes", exact: true });
  await expect(schemes).toContainText(/Outside validity here: .*IEEE line by line/);
  await expect(page.getByRole("button", { name: /^IEEE line by line, .* outside validity$/ })).toBeVisible();
  const one = page.getByRole("article", { name: "IEEE line by line" });
  await expect(one).toContainText("Outside validity: response limits are known from 1 to 800 Gb/s");
  await expect(one).toContainText(/more than the .* this scheme asks for, outside its validity/);
  await expect(one).not.toContainText("are enough");
  await page.goto("/questions/derivation?speed=1.6+Tb/s");
  const answer = page.getByRole("status", { name: "Answer" });
  await expect(answer).toContainText("Outside validity: response limits are known from 1 to 800 Gb/s");
  await expect(answer.locator("b")).toHaveAttribute("data-outside", "true");
});

test("an edit redraws the schemes, lands in the address and survives a reload", async ({ page }) => {
  await opened(page);
  await expect(heading(page)).toHaveText(/^88\.9 kB to 248 kB/);
  const bar = page.locator("[data-part=cable]").nth(1);
  const before = await bar.getAttribute("style");
  await cable(page).fill("10 m");
  // Less by 290 m there and back: 2 · 100 Gb/s · 1.45 µs / 8 = 36 250 B.
  await expect(heading(page)).toHaveText(/^52\.7 kB to /);
  await expect(bar).not.toHaveAttribute("style", before ?? "");
  await expect(page).toHaveURL(/cable=10\+m/);
  await page.reload();
  await expect(cable(page)).toHaveValue("10 m");
  await expect(heading(page)).toHaveText(/^52\.7 kB to /);
});

test("of edits in quick succession the last one is answered", async ({ page }) => {
  await opened(page);
  for (const metres of [20, 40, 60, 80, 100, 120]) await cable(page).fill(`${metres} m`);
  await expect(heading(page)).toContainText("over 120 m");
  await expect(page.getByRole("article", { name: "Vendor's rule" })).toContainText(
    /2\s*×\s*600\s*ns\s*×\s*100\s*Gb\/s/,
  );
});

test("each line shows its bytes, its formula and its source", async ({ page }) => {
  await opened(page);
  await page
    .getByRole("button", { name: /^IEEE line by line/ })
    .first()
    .click();
  const lines = page.getByRole("article", { name: "IEEE line by line" });
  await expect(lines.getByRole("row", { name: /Peer's response/ })).toContainText(/394\s*quanta\s*×\s*64\s*B/);
  await expect(lines.getByRole("row", { name: /Headroom \(xoff\)/ })).toContainText("88\u202f916 B");
  await lines.getByRole("row", { name: /Cable, there and back/ }).hover();
  const schemes = page.getByRole("region", { name: "Headroom by scheme" });
  await expect(schemes).toContainText(/2\s*×\s*1\.5\s*[µμ]s\s*×\s*100\s*Gb\/s/);
  await expect(page).toHaveURL(/page\.scheme=ieee/);
});

test("a measured watermark refits the reaction", async ({ page }) => {
  await opened(page, `${link}&page.scheme=sih`);
  await page.getByRole("button", { name: /^Configured and measured/ }).click();
  await page.getByRole("textbox", { name: "Watermark", exact: true }).fill("50 kB");
  const judged = page.getByRole("article", { name: "Static independent headroom" });
  await expect(judged).toContainText("The measured 50.0 kB are 5.66 kB more than the 44.3 kB");
  // 3840 B + 5660 B of reaction at 100 Gb/s
  await expect(judged).toContainText("760 ns");
});

test("what does not fit is refused with what would, and one way out is taken", async ({ page }) => {
  await opened(page);
  await expect(pool(page)).toContainText("It fits.");
  await page.getByRole("textbox", { name: "Lossless classes" }).fill("4");
  const refusal = pool(page).getByRole("alert");
  await expect(refusal).toContainText("It does not fit.");
  await expect(refusal).toContainText(/of 76\s840 cells/);
  await pool(page)
    .getByRole("listitem")
    .filter({ hasText: "Lossless classes" })
    .getByRole("button", { name: "Set" })
    .click();
  await expect(pool(page)).toContainText("It fits.");
  await expect(page.getByRole("textbox", { name: "Lossless classes" })).toHaveValue("2");
});

test("what the API objects to stands at its field", async ({ page }) => {
  await opened(page);
  await cable(page).fill("200 km");
  await expect(cable(page)).toHaveAccessibleDescription(/at most|less than or equal/);
  const ports = page.getByRole("textbox", { name: "Ports", exact: true });
  await cable(page).fill("300 m");
  await ports.fill("lots");
  await expect(ports).toHaveAccessibleDescription(/not a number with a unit/);
  // The last answer stays in sight.
  await expect(pool(page)).toContainText("It fits.");
});

test("marking, pauses and an incast are asked of the same pool", async ({ page }) => {
  await opened(page);
  await pool(page)
    .getByRole("button", { name: /^Compare marking thresholds/ })
    .click();
  await expect(page.getByRole("region", { name: "Does ECN mark before PFC pauses?" })).toContainText(
    /The pause is first|Marking is first/,
  );
  await expect(page).toHaveURL(/pool\.marking\.kmin=150\+kB/);
  await pool(page)
    .getByRole("button", { name: /^Assume each group is paused/ })
    .click();
  await expect(page.getByRole("region", { name: "Is a shared headroom pool large enough?" })).toContainText(
    "independent",
  );
  await page
    .getByRole("region", { name: "Does ECN mark before PFC pauses?" })
    .getByRole("button", { name: "Close" })
    .click();
  await expect(page).not.toHaveURL(/marking/);
});

test("a configuration is made for the switch, and read back", async ({ page }) => {
  await opened(page, `${link}&pool.over_subscribe_ratio=2`);
  await page.getByRole("button", { name: "Cisco NX-OS" }).click();
  await expect(page.getByRole("region", { name: "Export" })).toContainText("Not validated on a device");
  await page.getByRole("button", { name: "SONiC", exact: true }).click();
  await expect(page.getByRole("region", { name: "Export" })).toContainText("no errors");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download config_db.json" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("config_db.json");
  const content = readFileSync(await saved.path());
  expect(Object.keys(JSON.parse(content.toString()) as object)).toContain("BUFFER_POOL");
  const reading = page.getByRole("region", { name: "Import" });
  await reading
    .locator("input[type=file]")
    .setInputFiles({ name: "config_db.json", mimeType: "application/json", buffer: content });
  await expect(reading.getByRole("status")).toContainText("It fits the chip.");
  await expect(reading.getByRole("status")).toContainText("32 ports");
  await reading.getByRole("button", { name: /^Copy its ports and pools/ }).click();
  await expect(page).toHaveURL(/pool\.pools=ingress_lossless_pool/);
});

test("the question and its derivation can be taken away", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened(page, `${link}&page.scheme=ieee`);
  await expect(pool(page)).toContainText("It fits.");
  const take = async (name: string) => {
    await page.getByRole("button", { name: "Copy or download" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await take("Copy as a command");
  await expect
    .poll(clipboard(page))
    .toBe(
      "footroom headroom --speed '100 Gb/s' --cable '300 m' --asic tomahawk\nfootroom pool --asic " +
        "tomahawk --ports '32x100 Gb/s' --cable '300 m' --scheme ieee\n",
    );
  await take("Copy derivation");
  await expect.poll(clipboard(page)).toContain("IEEE line by line: 88\u202f916 B for 100 Gb/s over 300 m");
  const [saved] = await Promise.all([page.waitForEvent("download"), take("Download CSV")]);
  expect(saved.suggestedFilename()).toBe("footroom-headroom.csv");
  const [picture] = await Promise.all([page.waitForEvent("download"), take("Download PNG")]);
  expect(picture.suggestedFilename()).toBe("footroom-headroom.png");
  expect(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});

test("two tables that one switch ships are no two landmarks of one name", async ({ page }) => {
  await page.goto("/questions/cable-between-rows?asic=spectrum-4");
  await expect(page.getByRole("heading", { name: /ACS-SN5600/ }).first()).toBeVisible();
  await accessible(page);
});
