import { expect, test } from "@playwright/test";

import { accessible } from "./checks.ts";

test("the page opens, speaks to nobody else and is accessible", async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(baseURL ?? "") && !url.startsWith("data:") && !url.startsWith("blob:")) elsewhere.push(url);
  });
  page.on("console", (message) => {
    // A pool that does not fit is answered with status 422, which the browser notes; it is the answer to one of the
    // questions.
    const refusedPool = message.location().url.endsWith("/api/v1/pool") && message.text().includes("422");
    if (message.type() === "error" && !refusedPool) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto("/");
  await expect(page).toHaveTitle(/Footroom/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await accessible(page);
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});
