import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { expect, test, vi } from "vitest";

import { useSolved } from "./useSolved";
import type { Objective } from "@/lib/objectives";
import { point } from "@/test/points";

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const wrapper = ({ children }: PropsWithChildren) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);

const scenario = { switch: { buffer: "1 MB" } };
const points = ["theory", "fluid"].map((engine) => point(engine, 1e6, { utilisation: 1 }));
const objectives: Objective[] = [{ metric: "utilisation", op: ">=", value: 0.99 }];
const units = { utilisation: { unit: "1" } };
const engines = ["theory", "fluid"];
const late = ["fluid"];

test("an engine that is asked later is still solving, one that was refused says why", async () => {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(() =>
    Promise.resolve(
      new Response(JSON.stringify({ title: "No", detail: "it took longer than 30 s" }), {
        status: 422,
        headers: { "content-type": "application/problem+json" },
      }),
    ),
  );
  const { result } = renderHook(() => useSolved({ scenario, points, late, engines, objectives, units }), { wrapper });
  expect(result.current).toEqual({ theory: { state: "pending" }, fluid: { state: "pending" } });
  await waitFor(() => {
    expect(result.current.theory).toEqual({ state: "unsolved", words: "It took longer than 30 s." });
  });
  expect(result.current.fluid).toEqual({ state: "pending" });
  expect(asked).toHaveBeenCalledOnce();
});
