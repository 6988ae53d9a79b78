import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import type { ReactNode } from "react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { setPath, type JsonObject } from "@/lib/path";
import { SHORT_SEARCH, useSizeJob } from "@/state/useSizeJob";
import { preset, server, sizeJob } from "@/test/api";

let started: JsonObject[] = [];
let cancelled: string[] = [];
beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
});
afterEach(() => {
  started = [];
  cancelled = [];
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

function search(seconds: number, status: string) {
  const job = { ...sizeJob, status, result: status === "done" ? sizeJob.result : null };
  server.use(
    http.post("*/api/v1/size/cost", () => HttpResponse.json({ seconds })),
    http.post("*/api/v1/size", async ({ request }) => {
      started.push((await request.json()) as JsonObject);
      return HttpResponse.json({ ...job, id: `job-${String(started.length)}` }, { status: 202 });
    }),
    http.get("*/api/v1/size/:id", ({ params }) => HttpResponse.json({ ...job, id: params.id })),
    http.delete("*/api/v1/size/:id/run", ({ params }) => {
      cancelled.push(String(params.id));
      return HttpResponse.json({ ...job, status: "cancelled" }, { status: 202 });
    }),
  );
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const scenario = preset.scenario as JsonObject;
  return renderHook(({ asked }: { asked: JsonObject }) => useSizeJob(asked, ["drop_rate<=0.001"], true), {
    wrapper,
    initialProps: { asked: scenario },
  });
}

test("a short search starts by itself, once, whatever buffer the scenario has", async () => {
  const { result, rerender } = search(SHORT_SEARCH - 1, "done");
  await waitFor(
    () => {
      expect(result.current.job?.result?.value).toBe(1.66e6);
    },
    { timeout: 3000 },
  );
  rerender({ asked: setPath(preset.scenario, "switch.buffer", "900 kB") as JsonObject });
  expect(result.current.job?.result?.value).toBe(1.66e6);
  expect(started).toHaveLength(1);
  expect(started[0]).toMatchObject({ engine: "packet", require: ["drop_rate<=0.001"] });
});

test("a long search waits to be asked for, with its cost", async () => {
  const { result } = search(SHORT_SEARCH * 4, "done");
  await waitFor(
    () => {
      expect(result.current.cost).toBe(SHORT_SEARCH * 4);
    },
    { timeout: 3000 },
  );
  expect(started).toHaveLength(0);
  act(() => {
    result.current.start();
  });
  await waitFor(() => {
    expect(result.current.job?.status).toBe("done");
  });
});

test("a search for an earlier scenario is cancelled", async () => {
  const { result, rerender } = search(1, "running");
  await waitFor(
    () => {
      expect(result.current.job?.status).toBe("running");
    },
    { timeout: 3000 },
  );
  rerender({ asked: setPath(preset.scenario, "traffic.0.flows", 60) as JsonObject });
  expect(result.current.job).toBeUndefined();
  await waitFor(() => {
    expect(cancelled).toEqual(["job-1"]);
  });
});

test("two parts of a page that ask the same see one search", async () => {
  server.use(
    http.post("*/api/v1/size/cost", () => HttpResponse.json({ seconds: SHORT_SEARCH + 1 })),
    http.post("*/api/v1/size", async ({ request }) => {
      started.push((await request.json()) as JsonObject);
      return HttpResponse.json({ ...sizeJob, id: "shared" }, { status: 202 });
    }),
    http.get("*/api/v1/size/:id", ({ params }) => HttpResponse.json({ ...sizeJob, id: params.id })),
  );
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const useAsked = (auto: boolean) => useSizeJob(preset.scenario, ["drop_rate<=0.001"], auto);
  const { result } = renderHook(() => [useAsked(true), useAsked(false)] as const, { wrapper });
  await waitFor(
    () => {
      expect(result.current[1].cost).toBe(SHORT_SEARCH + 1);
    },
    { timeout: 3000 },
  );
  act(() => {
    result.current[1].start();
  });
  await waitFor(
    () => {
      expect(result.current[0].job?.result?.value).toBe(1.66e6);
    },
    { timeout: 3000 },
  );
  expect(started).toHaveLength(1);
});
