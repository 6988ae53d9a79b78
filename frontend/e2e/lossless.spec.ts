import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const small = "/sharing?page.mode=run&run.preset=headroom-too-small";

test("the memory of a lossless switch is drawn while it is typed, and a bad class is refused in place", async ({
  page,
}) => {
  await page.goto("/buffer?preset=headroom-too-small");
  const stack = page.getByRole("region", { name: "Memory of switch" });
  await expect(stack).toContainText(/73\D?900 B/);
  await page.getByRole("textbox", { name: /^Size/ }).first().fill("44340 B");
  await expect(stack).toContainText(/221\D?700 B/);
  await page
    .getByRole("textbox", { name: /^Lossless/ })
    .first()
    .fill("9");
  await expect(page.getByText(/Headroom, lossless 1:? must be at most 7/).first()).toBeVisible();
});

const bad = [
  { field: "Lossless", text: "9", at: "Lossless", says: "Must be at most 7" },
  { field: "Lossless", text: "3", at: "Lossless", says: "Class 3 does not exist: Queues is 2, so classes are 0 to 1" },
  { field: "Xon", text: "10 MB", at: "Xon", says: "so every pause would end at once: give less" },
  { field: "Size", text: "10 MB", at: "Headroom", says: "Raise Buffer, name fewer lossless classes" },
  { field: "Buffer", text: "50 kB", at: "Headroom", says: "25400 B are missing for one full packet" },
];

for (const view of ["/buffer?preset=headroom-too-small", small]) {
  test(`a setting that cannot be is named beside its field and blocks the run, ${view}`, async ({ page }) => {
    await page.goto(view);
    for (const { field, text, at, says } of bad) {
      const control = page.getByRole("textbox", { name: new RegExp(`^${field}( \\S)?$`) }).first();
      const before = await control.inputValue();
      const other = page.getByRole("textbox", { name: "RTT", exact: true });
      const [kept, typed] = [await other.inputValue(), `${field} ${text}`];
      await control.fill(text);
      const wrong = page.locator('[aria-invalid="true"]').first();
      await expect(wrong, typed).toHaveAccessibleName(new RegExp(`^${at}`));
      await expect(wrong, typed).toHaveAccessibleDescription(new RegExp(says, "i"));
      await expect(page.getByRole("button", { name: "Run packets" }), typed).toBeDisabled();
      await expect(page.getByRole("alert").first(), typed).toContainText(new RegExp(says, "i"));
      // Nothing is lost: what was typed stands, and so does every other value.
      await expect(control, typed).toHaveValue(text);
      await expect(other, typed).toHaveValue(kept);
      await control.fill(before);
      await expect(page.locator('[aria-invalid="true"]'), typed).toHaveCount(0);
    }
    await expect(page.getByRole("button", { name: /Run packets|Cancel/ }).first()).toBeEnabled();
  });
}

test("a link with a setting that cannot be says so beside the field", async ({ page }) => {
  await page.goto("/buffer?preset=headroom-too-small&set=switch.headroom.lossless:[9]");
  await expect(page.locator('[aria-invalid="true"]')).toHaveAccessibleDescription(/must be at most 7/i);
  await expect(page.getByRole("button", { name: "Run packets" })).toBeDisabled();
});

test("a packet run names the ports that lost packets and fills their headroom", async ({ page }) => {
  await page.goto(small);
  await page.getByRole("button", { name: "Run packets" }).click();
  const pauses = page.getByRole("region", { name: "Pauses and headroom" });
  await expect(pauses).toContainText("packets of lossless classes were lost");
  await expect(pauses.getByRole("row").filter({ hasText: "h1 → switch" })).toBeVisible();
  await expect(
    page.getByRole("group", { name: "Queues, free memory, marks, drops and pauses over time" }),
  ).toBeVisible();
  await accessible(page);
  await fits(page);
});

test("whether ECN marks before PFC pauses is run on one click", async ({ page }) => {
  await page.goto(
    "/headroom?buffer=16+MB&speed=100+Gb%2Fs&pool.ports=8x100G%40300m&pool.marking.kmin=400+kB&pool.marking.kmax=1600+kB&pool.marking.sources=4&page.section=pool",
  );
  await page.getByRole("button", { name: "Run packets" }).click();
  const run = page.getByRole("region", { name: "Packet simulation" });
  await expect(run.getByRole("status")).toContainText("Marking came first");
  await expect(run.getByRole("row").filter({ hasText: "Pause frames" })).toBeVisible();
});

test("choosing headroom raises a buffer that it would fill", async ({ page }) => {
  await page.goto("/buffer");
  const buffer = page.getByRole("textbox", { name: /^Buffer B/ });
  await expect(buffer).toHaveValue("250 kB");
  for (const kind of ["Static independent headroom", "Dynamic shared headroom"]) {
    await page.getByRole("combobox", { name: /^Headroom/ }).selectOption({ label: kind });
    // 51 ports, of which 50 are 10 Gb/s links over a half of 20 ms: 9.4 MB each.
    await expect(buffer).toHaveValue("470 MB");
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);
    await page.getByRole("button", { name: "Undo changes" }).click();
    await expect(buffer).toHaveValue("250 kB");
  }
});
