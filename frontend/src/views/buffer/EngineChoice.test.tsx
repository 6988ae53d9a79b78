import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { EngineChoice } from "./EngineChoice";
import type { Workbench } from "./state/useWorkbench";

afterEach(() => {
  vi.unstubAllGlobals();
});

function shown(engines: string[]) {
  const change = vi.fn();
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = (await request.json()) as { budget: number };
    bodies.push(body);
    return Response.json({ engine: "packet", reason: "auto picked packet.", seconds: 3, budget: body.budget });
  });
  const bench = { scenario: { name: "one" }, objectives: [{ metric: "utilisation" }], view: { engines }, change };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EngineChoice bench={bench as unknown as Workbench} />
    </QueryClientProvider>,
  );
  return { change, bodies };
}

test("nothing is asked before the person asks, and the answer says which engine and why", async () => {
  const { change, bodies } = shown(["theory"]);
  expect(bodies).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Which engine should I ask?" }));
  expect((await screen.findByRole("status")).textContent).toContain("auto picked packet.");
  expect(bodies).toEqual([{ scenario: { name: "one" }, budget: 60, metrics: ["utilisation"] }]);
  fireEvent.click(screen.getByRole("button", { name: "Show packet" }));
  expect(change).toHaveBeenCalledWith({ engines: ["theory", "packet"] });
});

test("a budget that is no number of seconds is said and not asked with", async () => {
  const { bodies } = shown(["packet"]);
  fireEvent.click(screen.getByRole("button", { name: "Which engine should I ask?" }));
  await screen.findByRole("status");
  expect(screen.queryByRole("button", { name: "Show packet" })).toBeNull();
  const field = screen.getByLabelText("Budget of a run [s of one core]");
  fireEvent.change(field, { target: { value: "-5" } });
  fireEvent.blur(field);
  expect(screen.getByRole("alert").textContent).toContain("a number of seconds above 0");
  expect(bodies).toHaveLength(1);
});
