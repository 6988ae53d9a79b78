import { expect, test } from "@playwright/test";

import { accessible, fits } from "./checks.ts";

const scenario = {
  name: "Stored rack",
  topology: { kind: "dumbbell", bottleneck: "100 Mb/s", access: "1 Gb/s", rtt: "10 ms" },
  switch: { buffer: "100 kB" },
  traffic: [{ kind: "long_lived", flows: 3 }],
  run: { duration: "2 s", warmup: "1 s" },
};

test("a stored study is found, named, tagged, exported, removed and imported", async ({ page }) => {
  const asked = await page.request.post("/api/v1/studies", { data: { scenario, engines: ["theory"] } });
  const { id } = (await asked.json()) as { id: string };
  await expect
    .poll(async () => ((await (await page.request.get(`/api/v1/studies/${id}`)).json()) as { status: string }).status)
    .toBe("done");
  await page.goto("/studies");
  await page.getByRole("searchbox", { name: "Name or id" }).fill(id);
  const row = page.getByRole("row").filter({ hasText: id.slice(0, 12) });
  await expect(row).toContainText("done");
  await row.getByRole("button", { name: /^Name and tags/ }).click();
  await row.getByRole("textbox", { name: "Name", exact: true }).fill("Rack 7");
  await row.getByRole("textbox", { name: /^Tags/ }).fill("rack, keep");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Rack 7");
  await expect(row).toContainText("keep, rack");
  await accessible(page, "studies");
  await fits(page, "studies");
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: /^Export/ }).click();
  const file = await (await download).path();
  await row.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByText("No study matches")).toBeVisible();
  await page.getByLabel("Import a file").setInputFiles(file);
  await expect(row).toContainText("Rack 7");
  await row.getByRole("button", { name: /^Run again/ }).click();
  await expect(row).toContainText("done");
});
