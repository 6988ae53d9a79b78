import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const asked = "&pool.marking.kmin=100+kB&pool.marking.kmax=400+kB&pool.pauses.probability=0.01&pool.pauses.correlation=0.1&pool.incast.degree=40&pool.incast.size=64+KiB";
const link = "/headroom?speed=100+Gb/s&cable=300+m&asic=tomahawk";
const views = [
  { name: "questions", address: "/", ready: "smallest that loses nothing" },
  { name: "VOQ limit", address: "/voq?limit=500+MB", ready: "Wait behind the limit given" },
  { name: "headroom", address: `${link}&watermark=50+kB&configured=60+kB&page.export=sonic`, ready: "config_db.json" },
  { name: "headroom that fits, with all asked", address: `${link}&page.panel=explain&pool.over_subscribe_ratio=2${asked}`, ready: "groups can use their headroom at once" },
  { name: "headroom that does not fit", address: `${link}&page.panel=shipped&pool.lossless_classes=8`, ready: "What would fit" },
];

const screens = { light: [[1440, 900], [390, 844]], dark: [[1440, 900]] } as const;

for (const { name, address, ready } of views) {
  for (const scheme of ["light", "dark"] as const) {
    test(`${name} is accessible and fits, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      for (const [width, height] of screens[scheme]) {
        await page.setViewportSize({ width, height });
        await page.goto(address);
        await expect(page.getByRole("main")).toContainText(ready);
        await accessible(page, `${width}:`);
        await fits(page, String(width));
      }
    });
  }
}

test("a link changes single fields, and what of it is no field is named", async ({ page }) => {
  await page.goto("/headroom?set=cable:77m&colour=red");
  await expect(page.getByRole("textbox", { name: "Cable", exact: true })).toHaveValue("77m");
  await expect(page.getByRole("status").filter({ hasText: "Ignored in the link" })).toContainText("colour (no such field)");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("over 77.0 m");
  await page.goto("/stability?preset=tor-10g&set=topology.rtt:200us&panel=nowhere");
  await expect(page.getByRole("textbox", { name: "RTT", exact: true })).toHaveValue("200us");
  await expect(page.getByRole("status").filter({ hasText: "Ignored in the link" })).toContainText("panel=nowhere");
});
