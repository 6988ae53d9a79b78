import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import type { ReactNode } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { forgetStudy } from "@/api/studies";
import { usePacketStudy } from "@/state/usePacketStudy";
import { server } from "@/test/api";
import { FakeSource } from "@/test/source";

let posts = 0;

beforeAll(() => {
  server.listen({ onUnhandledRequest: "error" });
});
beforeEach(() => {
  posts = 0;
  FakeSource.all = [];
  vi.stubGlobal("EventSource", FakeSource);
  server.use(
    http.post("*/api/v1/studies/cost", () => HttpResponse.json({ seconds: 60 })),
    http.post("*/api/v1/studies", () => {
      posts += 1;
      return HttpResponse.json({ id: "abc", status: "queued" }, { status: 202 });
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  server.resetHandlers();
});
afterAll(() => {
  server.close();
});

const body = { scenario: { name: "it" }, over: {}, engines: ["packet"], replicas: 1 };

/** The answer and the evidence of a page, which show the same study. */
function twoParts() {
  const queries = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  return renderHook(() => [usePacketStudy(body), usePacketStudy(body)] as const, { wrapper }).result;
}

test.each(["cancelled", "removed"])("a study that was %s is started again, and all parts follow it", async (how) => {
  const parts = twoParts();
  await waitFor(() => {
    expect(parts.current[0].seconds).toBe(60);
  });
  act(() => {
    parts.current[0].start();
  });
  await waitFor(() => {
    expect(posts).toBe(1);
  });
  await waitFor(() => {
    expect(parts.current[1].running).toBe(true);
  });
  for (const source of FakeSource.open())
    if (how === "cancelled") source.send("done", { id: "abc", status: "cancelled", error: null });
    else source.refuse();
  expect(parts.current.map(({ running }) => running)).toEqual([false, false]);
  act(() => {
    parts.current[0].start();
  });
  await waitFor(() => {
    expect(posts).toBe(2);
  });
  await waitFor(() => {
    expect(FakeSource.open()).toHaveLength(2);
  });
  for (const source of FakeSource.open()) source.send("done", { id: "abc", status: "done", error: null });
  expect(parts.current.map(({ done }) => done)).toEqual([true, true]);
});

test("a study removed in Studies is not looked for when the page opens again", async () => {
  const queries = new QueryClient();
  queries.setQueryData(["study", body], "abc");
  queries.setQueryData(["study", { ...body, replicas: 3 }], "def");
  forgetStudy(queries, "abc");
  expect(queries.getQueryData(["study", { ...body, replicas: 3 }])).toBe("def");
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => usePacketStudy(body), { wrapper });
  await waitFor(() => {
    expect(result.current.seconds).toBe(60);
  });
  expect(FakeSource.open()).toHaveLength(0);
});
