import { expect, test } from "vitest";

import { bufferQuery, runQuery } from "./caseLinks";
import { sharingCodec } from "@/lib/emulation";
import { getPath, type JsonObject } from "@/lib/path";
import { decodeView } from "@/lib/permalink";

const scenario: JsonObject = {
  name: "FB-EBB C/0.90",
  topology: { kind: "dumbbell", bottleneck: "4 Gb/s", rtt: "30 ms" },
  switch: { buffer: "40 packets" },
  traffic: [{ kind: "poisson", load: 0.9, modulation: { cv: 0.12 } }],
  run: { duration: "26 s", mtu: "1500 B", slowdown: false },
};

test("the buffer view opens the very scenario, its buffer in the middle of what is swept", () => {
  const view = decodeView(bufferQuery("FB-EBB C/0.90, laptop", scenario));
  expect(view.scenario).toEqual(scenario);
  expect(view.from).toBe("FB-EBB C/0.90, laptop");
  expect(view.over).toBe("6kB:600kB:log3");
  expect(view.packet).toEqual({ points: 3, replicas: 1 });
});

test("a packet run opens it as it is, with a timeline over all of it", () => {
  const state = sharingCodec.decode(runQuery("FB-EBB C/0.90, laptop", scenario));
  expect(getPath(state, "run.scenario.switch")).toEqual(scenario.switch);
  expect(getPath(state, "run.scenario.run.timeline")).toEqual({ start: 0, end: 26, step: 0.026 });
  expect(getPath(state, "run.from")).toBe("FB-EBB C/0.90, laptop");
});
