import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { useStudy } from "@/state/useStudy";
import { point } from "@/test/points";
import { FakeSource } from "@/test/source";

beforeEach(() => {
  vi.stubGlobal("EventSource", FakeSource);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const refusal = (buffer: number) => ({
  engine: "packet",
  message: "no such thing here",
  path: "traffic.0.congestion.kind",
  engines: ["fluid"],
  at: { "switch.buffer": buffer },
});

test("points that an engine refuses are kept beside those it answers", () => {
  const { result } = renderHook(() => useStudy("abc"));
  expect(FakeSource.latest.url).toBe("/api/v1/studies/abc/events");
  FakeSource.latest.send("status", { id: "abc", status: "running", error: null });
  FakeSource.latest.send("unsupported", refusal(25e3));
  FakeSource.latest.send("point", point("packet", 250e3, { utilisation: 0.9 }));
  FakeSource.latest.send("unsupported", refusal(2.5e6));
  FakeSource.latest.send("done", { id: "abc", status: "done", error: null });
  expect(result.current.study?.status).toBe("done");
  expect(result.current.study?.points).toHaveLength(1);
  expect(result.current.study?.unsupported).toEqual([refusal(25e3), refusal(2.5e6)]);
});

test("asking again begins without them", () => {
  const { result } = renderHook(() => useStudy("abc"));
  FakeSource.latest.send("unsupported", refusal(25e3));
  act(() => {
    result.current.restart();
  });
  expect(result.current.study?.unsupported).toEqual([]);
});
