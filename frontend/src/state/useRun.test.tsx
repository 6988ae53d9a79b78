import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import type { ReactNode } from "react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { DEFAULT_VIEW, type View } from "@/lib/view";
import { SHORT, useRun } from "@/state/useRun";
import { preset, server } from "@/test/api";

let started = 0;
beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
});
afterEach(() => {
  started = 0;
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

function runs(seconds: number, alone: boolean, view: View = DEFAULT_VIEW) {
  server.use(
    http.post("*/api/v1/studies/cost", () => HttpResponse.json({ seconds })),
    http.post("*/api/v1/studies", () => {
      started += 1;
      return HttpResponse.json({ id: "abc" });
    }),
  );
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const sweep = { low: 1e4, high: 1e6, points: 3 };
  const packet = { points: 3, replicas: 1 };
  const restart = () => undefined;
  const change = () => undefined;
  return renderHook(() => useRun({ view, change, scenario: preset.scenario, sweep, packet, restart, alone }), {
    wrapper,
  });
}

test("a short study starts by itself where nothing else answers, once", async () => {
  const { result, rerender } = runs(SHORT - 1, true);
  await waitFor(() => {
    expect(started).toBe(1);
  });
  await waitFor(() => {
    expect(result.current.starting).toBe(false);
  });
  rerender();
  expect(result.current.cost).toBe(SHORT - 1);
  expect(started).toBe(1);
});

test.each([
  ["a long one", SHORT * 4, true],
  ["one beside other answers", 1, false],
] as const)("%s waits to be asked for, with its cost", async (_, seconds, alone) => {
  const { result } = runs(seconds, alone);
  await waitFor(() => {
    expect(result.current.cost).toBe(seconds);
  });
  expect(started).toBe(0);
});
