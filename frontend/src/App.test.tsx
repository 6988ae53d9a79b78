import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { App } from "@/App";
import { getPath } from "@/lib/path";
import { asked, server } from "@/test/api";

beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
});
beforeEach(() => {
  window.history.replaceState(null, "", "/buffer");
  asked.length = 0;
});
afterEach(() => {
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

const open = async () => {
  render(<App />);
  return screen.findByRole("textbox", { name: /^Bottleneck/ });
};

test("opens on the preset with every engine's answer in words", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Buffer size");
  const answer = await screen.findByRole("region", { name: "Smallest buffer" });
  await waitFor(() => {
    expect(within(answer).getAllByRole("button", { name: "1.70 MB" })).toHaveLength(2);
  });
  expect(within(answer).getAllByText(/Solved within 1\.68–1\.70 MB\. At 1\.68 MB utilisation is too low/)).toHaveLength(
    2,
  );
});

test("a search that the API refuses leaves the sizes swept", async () => {
  server.use(
    http.post("*/api/v1/size", () => HttpResponse.json({ title: "no", detail: "no", errors: [] }, { status: 422 })),
  );
  await open();
  const answer = await screen.findByRole("region", { name: "Smallest buffer" });
  await waitFor(() => {
    expect(within(answer).getAllByText(/At 250 kB utilisation is too low and drop rate is too high/)).toHaveLength(2);
  });
  expect(within(answer).getAllByRole("button", { name: "250 kB–2.50 MB" })).toHaveLength(2);
});

test("an edit goes into the address and into the next question", async () => {
  const user = userEvent.setup();
  const field = await open();
  await user.clear(field);
  await user.type(field, "40 Gb/s");
  await waitFor(() => {
    expect(asked.some(({ scenario }) => getPath(scenario, "topology.bottleneck") === "40 Gb/s")).toBe(true);
  });
  expect(new URLSearchParams(window.location.search).get("topology.bottleneck")).toBe("40 Gb/s");
});

test("the chosen buffer does not ask for the curves again", async () => {
  const user = userEvent.setup();
  await open();
  await screen.findByRole("region", { name: "Rules of thumb" });
  // The curve's first sizes, then those where it bends.
  await waitFor(() => {
    expect(asked.filter(({ over }) => Array.isArray(over?.["switch.buffer"]))).toHaveLength(2);
  });
  const sweeps = () => asked.filter(({ over }) => over !== undefined).length;
  const before = sweeps();
  const field = screen.getByRole("textbox", { name: /^Buffer/ });
  await user.clear(field);
  await user.type(field, "500 kB");
  await waitFor(() => {
    expect(
      asked.some(({ scenario, over }) => over === undefined && getPath(scenario, "switch.buffer") === "500 kB"),
    ).toBe(true);
  });
  expect(sweeps()).toBe(before);
});

test("a rule of thumb opens its derivation", async () => {
  const user = userEvent.setup();
  await open();
  await user.click(await screen.findByRole("button", { name: /Bandwidth-delay product/ }));
  const derivation = await screen.findByRole("article", { name: "Bandwidth-delay product" });
  // Plain until the typesetter is loaded, then as TeX beside what is drawn.
  expect(derivation).toHaveTextContent(/B = C·RTT\/8|\{B\}=\\frac\{\{C\}.*\}\{8\}/);
  expect(derivation).toHaveTextContent("Villamizar");
  expect(derivation).toHaveTextContent("1.00 Gb/s");
});

test("the API's objection stands at the field and leads to it", async () => {
  server.use(
    http.post("*/api/v1/estimates", () =>
      HttpResponse.json(
        {
          title: "A field is wrong",
          detail: "no",
          errors: [{ path: "scenario.topology.rtt", given: "x", message: "too long a way" }],
        },
        { status: 422, headers: { "content-type": "application/problem+json" } },
      ),
    ),
  );
  const user = userEvent.setup();
  await open();
  const field = screen.getByRole("textbox", { name: "RTT" });
  await waitFor(() => {
    expect(field).toHaveAccessibleDescription("too long a way");
  });
  expect(field).toBeInvalid();
  await user.click(screen.getByRole("link", { name: /RTT/ }));
  expect(field).toHaveFocus();
});

test("a server that does not answer is said so", async () => {
  server.use(
    http.get("*/api/v1/*", () => HttpResponse.error()),
    http.post("*/api/v1/*", () => HttpResponse.error()),
  );
  render(<App />);
  expect(await screen.findByText(/The server does not answer/, {}, { timeout: 8000 })).toBeVisible();
}, 12_000);

test("an edit while the server is gone leaves the last picture, and says so", async () => {
  const user = userEvent.setup();
  const field = await open();
  const answer = await screen.findByRole("region", { name: "Smallest buffer" });
  await within(answer).findAllByRole("button", { name: "1.70 MB" });
  server.use(http.post("*/api/v1/*", () => HttpResponse.error()));
  await user.clear(field);
  await user.type(field, "40 Gb/s");
  expect(await screen.findByText(/The server does not answer/, {}, { timeout: 20_000 })).toBeVisible();
  expect(within(answer).getByText("theory")).toBeVisible();
  expect(answer).toHaveAttribute("aria-busy", "true");
}, 40_000);

test("the values are sortable and every tab is reached by arrow keys", async () => {
  const user = userEvent.setup();
  await open();
  screen.getByRole("tab", { name: "Answer" }).focus();
  await user.keyboard("{ArrowLeft}");
  const table = await within(await screen.findByRole("tabpanel", { name: "Values" })).findByRole("table");
  expect(within(table).getAllByRole("row")).toHaveLength(1 + 6);
  await user.click(within(table).getByRole("button", { name: /Utilisation/ }));
  expect(within(table).getByRole("columnheader", { name: /Utilisation/ })).toHaveAttribute("aria-sort", "ascending");
});

test("the header names the views, says where one is, and finds each as it was left", async () => {
  const user = userEvent.setup();
  const field = await open();
  await user.clear(field);
  await user.type(field, "40 Gb/s");
  await waitFor(() => {
    expect(window.location.search).toContain("40+Gb");
  });
  const link = (name: string) => within(screen.getByRole("navigation", { name: "Views" })).getByRole("link", { name });
  expect(link("Buffer")).toHaveAttribute("aria-current", "page");
  await user.click(link("Questions"));
  await screen.findByRole("heading", { level: 1, name: /How much buffer/ });
  expect(window.location.pathname).toBe("/");
  expect(window.location.search).toBe("");
  expect(document.title).toBe("Footroom");
  await user.click(link("Buffer"));
  expect(await screen.findByRole("textbox", { name: /^Bottleneck/ })).toHaveValue("40 Gb/s");
  expect(document.title).toBe("Buffer · Footroom");
});

test("a link from before there were views leads to the buffer view with its scenario", async () => {
  window.history.replaceState(
    null,
    "",
    "/?preset=wan-bottleneck&topology.kind=dumbbell&topology.bottleneck=3+Gb/s&switch.buffer=1+MB&panel=values",
  );
  render(<App />);
  expect(await screen.findByRole("textbox", { name: /^Bottleneck/ })).toHaveValue("3 Gb/s");
  expect(window.location.pathname).toBe("/buffer");
  expect(new URLSearchParams(window.location.search).get("panel")).toBe("values");
});

test("an address that no view has is said so", async () => {
  window.history.replaceState(null, "", "/nothing/here");
  render(<App />);
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Page not found");
});
