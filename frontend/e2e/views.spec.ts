import { expect, test } from "@playwright/test";

import { accessible, fits, settled } from "./checks.ts";

const asked =
  "&pool.marking.kmin=100+kB&pool.marking.kmax=400+kB&pool.pauses.probability=0.01&pool.pauses.correlation=0.1&pool.incast.degree=40&pool.incast.size=64+KiB";
const link = "/headroom?speed=100+Gb/s&cable=300+m&asic=tomahawk";
const views = [
  { name: "questions", address: "/", ready: "smallest that loses nothing" },
  { name: "VOQ limit", address: "/voq?limit=500+MB", ready: "Wait behind the limit given" },
  { name: "studies", address: "/studies", ready: "Stored studies" },
  { name: "headroom", address: `${link}&watermark=50+kB&configured=60+kB&page.export=sonic`, ready: "config_db.json" },
  {
    name: "headroom that fits, with all asked",
    address: `${link}&page.panel=explain&pool.over_subscribe_ratio=2${asked}`,
    ready: "groups can use their headroom at once",
  },
  {
    name: "headroom that does not fit",
    address: `${link}&page.panel=shipped&pool.lossless_classes=8`,
    ready: "What would fit",
  },
];

const screens = {
  light: [
    [1440, 900],
    [390, 844],
  ],
  dark: [[1440, 900]],
} as const;

for (const { name, address, ready } of views) {
  for (const scheme of ["light", "dark"] as const) {
    test(`${name} is accessible and fits, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      for (const [width, height] of screens[scheme]) {
        await page.setViewportSize({ width, height });
        await page.goto(address);
        await expect(page.getByRole("main")).toContainText(ready);
        await accessible(page, `${width}:`, width === screens.dark[0][0] ? undefined : "structure");
        await fits(page, String(width));
      }
    });
  }
}

test("a link changes single fields, and what of it is no field is named", async ({ page }) => {
  await page.goto("/headroom?set=cable:77m&colour=red");
  await expect(page.getByRole("textbox", { name: "Cable", exact: true })).toHaveValue("77m");
  await expect(page.getByRole("status").filter({ hasText: "Ignored in the link" })).toContainText(
    "colour (no such field)",
  );
  await expect(page.getByRole("heading", { level: 1 })).toContainText("over 77.0 m");
  await page.goto("/stability?preset=tor-10g&set=topology.rtt:200us&panel=nowhere");
  await expect(page.getByRole("textbox", { name: "RTT", exact: true })).toHaveValue("200us");
  await expect(page.getByRole("status").filter({ hasText: "Ignored in the link" })).toContainText("panel=nowhere");
});

test("a link with a value that is none is refused, and no answer is made up for it", async ({ page }) => {
  await page.goto("/questions/14?topology.rtt=abc");
  const answer = page.getByRole("status", { name: "Answer" });
  await expect(answer).toContainText("RTT: this is not a number with a unit");
  await settled(page);
  await expect(answer).not.toContainText("meets the target");
});

test("controls say that they compute while the scenario is on its way", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/presets/**", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/controls");
  const answer = page.getByRole("status", { name: "Answer" });
  await expect(answer).toContainText(/\w/);
  await expect(answer).not.toContainText("Neither", { timeout: 3000 });
  release();
  await expect(answer).toContainText("CUBIC needs");
});

test("what got no answer without a network is asked again by itself", async ({ page, context }) => {
  await page.goto("/voq");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("156 MB");
  await context.setOffline(true);
  await page.getByRole("textbox", { name: /^Line cards/ }).fill("8");
  const offline = page.getByText("The server does not answer");
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("78.1 MB");
  await expect(offline).toBeHidden();
});

test("a wide screen cuts no field of the buffer view", async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await page.goto("/buffer");
  await expect(page.getByRole("textbox", { name: "Largest swept buffer" })).toHaveValue("2.5 MB");
  const cut = await page
    .locator("input:not([type=checkbox])")
    .evaluateAll((fields) =>
      (fields as HTMLInputElement[])
        .filter((field) => field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
        .map(({ value }) => value),
    );
  expect(cut).toEqual([]);
});

test("a long part of a link that is ignored fits a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/stability?preset=bbr-wan&x=traffic.0.congestion.cnp_interval:0.000005:0.0005");
  await expect(page.getByRole("status").filter({ hasText: "Ignored in the link" })).toBeVisible();
  await fits(page);
});

for (const [address, field, answer] of [
  ["/buffer", "Buffer", "Smallest buffer"],
  ["/buffer", "Utilisation", "Smallest buffer"],
  ["/questions/1", "Speed", "Headroom by each scheme"],
  ["/questions/14", "Bottleneck", "Utilisation against buffer size"],
  ["/voq", "Delay", "Answer"],
  ["/headroom", "Speed", "Schemes"],
  ["/controls", "RTT", "Smallest buffer by congestion control"],
] as const)
  test(`while ${field} of ${address} is wrong, its answers are grey and nothing can be run`, async ({ page }) => {
    await page.goto(address);
    const region = page.getByRole("region", { name: answer, exact: true });
    await expect(region).toBeVisible();
    await settled(page);
    await page
      .getByRole("textbox", { name: new RegExp(`^${field}\\b`) })
      .first()
      .fill("-1");
    await expect(page.getByText("Until then the answers are for the last valid values")).toBeVisible();
    // A button that is a number, in the size of a headline, is one of them.
    const inks = await region.evaluate((place) => {
      const muted = document.createElement("i");
      muted.style.color = "var(--muted)";
      place.append(muted);
      const grey = getComputedStyle(muted).color;
      muted.remove();
      return [...place.querySelectorAll("td, th, p, b, h1, dd, button[title^=Choose]")]
        .filter((one) => one.checkVisibility() && one.closest("svg") === null)
        .filter((one) => one.textContent !== "" && getComputedStyle(one).color !== grey)
        .map((one) => one.outerHTML.slice(0, 120));
    });
    expect(inks).toEqual([]);
    const runs = page
      .getByRole("button", { name: /^(Run|Simulate|Find)\b/ })
      .and(page.locator(":not([aria-expanded])"));
    for (const run of await runs.all()) await expect(run).toBeDisabled();
  });

test("on a phone every target is large enough for a finger", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  for (const address of [
    "/",
    "/questions/headroom-400g-300m",
    "/voq",
    "/headroom",
    "/ecn",
    "/compare?a=wan-bottleneck",
  ]) {
    await page.goto(address);
    await expect(page.getByRole("main"), address).toContainText(/\d\s?(B|kB|MB|%)/);
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          "button, select, summary, nav a, input:not([type=checkbox], [type=radio], [type=file])",
        ),
      ]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
        .map(
          (element) =>
            ({
              ...element.getBoundingClientRect().toJSON(),
              name: element.getAttribute("aria-label") ?? element.textContent,
            }) as { width: number; height: number; name: string },
        )
        .filter(({ width, height }) => width < 44 || height < 44)
        .map(({ name, width, height }) => `${name} ${width} × ${height}`),
    );
    expect(small, address).toEqual([]);
    await fits(page, address);
  }
  await context.close();
});

test("a second link skips to the answer", async ({ page }) => {
  await page.goto("/voq");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("packets");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the answer" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#answer")).toBeFocused();
});

test("type grows on wide screens", async ({ page }) => {
  await page.goto("/voq");
  const height = async () =>
    await page.getByRole("heading", { level: 1 }).evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/\d/); // the answer, not the view's name
  const before = await height();
  await page.setViewportSize({ width: 2560, height: 1400 });
  expect(await height()).toBeGreaterThan(1.2 * before);
});
