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
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto("/");
  await expect(page).toHaveTitle(/Footroom/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await accessible(page);
  // What does not fit the chip is an answer, which the browser does not note as an error.
  for (const [question, words] of [
    ["headroom-400g-300m", /does not fit this chip/],
    ["fits-the-chip", /^No,/],
  ] as const) {
    await page.goto(`/questions/${question}`);
    await expect(page.getByRole("status", { name: "Answer" })).toHaveText(words);
  }
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});
