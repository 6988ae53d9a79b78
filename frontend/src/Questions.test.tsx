import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { App } from "@/App";
import { server } from "@/test/api";

beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
});
beforeEach(() => {
  window.history.replaceState(null, "", "/");
});
afterEach(() => {
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

test("questions that are answered lead, with a number where there is one", async () => {
  render(<App />);
  const topic = await screen.findByRole("region", { name: "Buffer size" });
  expect(within(topic).getAllByRole("listitem")).toHaveLength(2);
  const row = within(topic).getByRole("link", { name: "Question 13?" }).closest("li");
  await waitFor(() => {
    expect(row).toHaveTextContent("200 MB");
  });
  const rest = screen.getByRole("region", { name: "Not answered yet" });
  expect(rest).toHaveTextContent("Bursts are missing.");
  expect(within(rest).queryByRole("link")).toBeNull();
});

test("a card says that its number is being computed", async () => {
  server.use(http.post("*/api/v1/voq", () => new Promise<never>(() => undefined)));
  render(<App />);
  const link = await screen.findByRole("link", { name: "Question 13?" });
  expect(link.closest("li")).toHaveTextContent("computing");
});

test("a question opens its page, which answers it first with the same number", async () => {
  const user = userEvent.setup();
  render(<App />);
  await user.click(await screen.findByRole("link", { name: "Question 13?" }));
  expect(await screen.findByRole("textbox", { name: /^Line cards/ })).toHaveValue("3");
  expect(window.location.pathname + window.location.search).toBe("/questions/voq-limit");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Question 13?");
  expect(await screen.findByRole("status", { name: "Answer" })).toHaveTextContent("Set 200 MB per queue");
  expect(screen.queryByRole("article", { name: "Limit of one queue" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Formula" }));
  expect(screen.getByRole("article", { name: "Limit of one queue" })).toBeVisible();
});

test("what is wrong with a value stands at its field, and the last answer stays", async () => {
  const user = userEvent.setup();
  window.history.replaceState(null, "", "/voq?line_cards=3");
  render(<App />);
  await screen.findByRole("heading", { level: 1 });
  server.use(
    http.post("*/api/v1/voq", () =>
      HttpResponse.json(
        { title: "A field is wrong", detail: "no", errors: [{ path: "packet", given: 1, message: "no such packet" }] },
        { status: 422, headers: { "content-type": "application/problem+json" } },
      ),
    ),
  );
  const field = screen.getByRole("textbox", { name: /^Packet/ });
  await user.clear(field);
  await user.type(field, "9 B");
  await waitFor(() => {
    expect(field).toHaveAccessibleDescription("no such packet");
  });
  expect(new URLSearchParams(window.location.search).get("packet")).toBe("9 B");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("200 MB");
});
