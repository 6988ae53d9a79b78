import { expect, test } from "vitest";

import { decodeView, encodeView, ignoredIn } from "@/lib/permalink";
import { DEFAULT_VIEW, withSet, type View } from "@/lib/view";

const full: View = {
  preset: "short-flows",
  scenario: {
    name: "true",
    topology: { kind: "graph", hosts: ["a", "b&c"], links: [], rtt: "20 ms" },
    traffic: [
      { kind: "long_lived", flows: 50, host: { pacing: true, mss: null } },
      { kind: "poisson", sizes: '"quoted"', name: "12" },
    ],
  },
  over: "25kB:2.5MB:log9",
  engines: ["fluid"],
  third: "fct_p99",
  panel: "values",
  about: "theory:bdp",
  objectives: [{ metric: "fct_mean", op: "<=", value: 0.05 }],
  from: "FB-EBB C/0.90, laptop",
  packet: { points: 21, replicas: 5 },
  scale: 12.5,
  study: "abc",
  pinned: { scenario: { run: { seed: 2 } }, study: "def" },
};

test("everything survives the way through a link", () => {
  expect(decodeView(encodeView(full))).toEqual(full);
});

test("the page as it opens has an empty query", () => {
  expect(encodeView(DEFAULT_VIEW)).toBe("");
  expect(decodeView("")).toEqual(DEFAULT_VIEW);
});

test("scenario fields are written as --set writes them", () => {
  const query = new URLSearchParams(encodeView(full));
  expect(query.get("topology.rtt")).toBe("20 ms");
  expect(query.get("traffic.0.flows")).toBe("50");
});

test("what makes no sense falls back instead of failing", () => {
  const view = decodeView("panel=nonsense&packet=0x0&need=rubbish,utilisation>=0.9&engines=&scale=-3");
  expect(view.scale).toBeUndefined();
  expect(view.panel).toBe("answer");
  expect(view.packet).toBeUndefined();
  expect(view.objectives).toEqual([{ metric: "utilisation", op: ">=", value: 0.9 }]);
  expect(view.engines).toEqual([]);
});

test("a link may change single fields of a preset", () => {
  const search = "preset=tor-10g&set=topology.rtt:40ms&set=traffic.0.flows:8";
  const view = decodeView(search);
  expect(view.set).toEqual([
    ["topology.rtt", "40ms"],
    ["traffic.0.flows", 8],
  ]);
  expect(decodeView(encodeView(view))).toEqual(view);
  const preset = { topology: { kind: "star", rtt: "80 us" }, traffic: [{ kind: "long_lived", flows: 2 }] };
  expect(withSet(view, preset)).toMatchObject({
    scenario: { topology: { kind: "star", rtt: "40ms" }, traffic: [{ kind: "long_lived", flows: 8 }] },
  });
  expect(withSet(view, preset)).not.toHaveProperty("set");
  expect(withSet(view, undefined)).toBe(view);
  expect(ignoredIn(search)).toEqual([]);
});

test("fields that are no whole scenario change those of the preset", () => {
  const view = decodeView("preset=wan-bottleneck&topology.bottleneck=10+Gb/s&traffic.0.flows=1");
  expect(view.scenario).toBeUndefined();
  const preset = { topology: { kind: "dumbbell", rtt: "20 ms" }, traffic: [{ kind: "long_lived", flows: 50 }] };
  expect(withSet(view, preset).scenario).toEqual({
    topology: { kind: "dumbbell", rtt: "20 ms", bottleneck: "10 Gb/s" },
    traffic: [{ kind: "long_lived", flows: 1 }],
  });
  expect(decodeView(encodeView(view))).toEqual(view);
});

test("a field behind a word that is no part of a scenario is listed as ignored", () => {
  expect(ignoredIn("set.topology.rtt=4ms&need.utilisation=1&a.topology.kind=star")).toEqual([
    "set.topology.rtt (no such field)",
    "need.utilisation (no such field)",
  ]);
});

test("only the ignored parts of a link are listed", () => {
  expect(ignoredIn(encodeView(full))).toEqual([]);
  const wrong = ignoredIn(
    "engines=theory,magic&panel=nowhere&need=queue&scale=0&packet=many&over=some&set=rtt&colour=red&topology.rtt=1ms",
  );
  expect(wrong.map((text) => text.split(/[ =]/)[0])).toEqual([
    "engines",
    "panel",
    "need",
    "scale",
    "packet",
    "over",
    "set",
    "colour",
  ]);
  expect(decodeView("colour=red")).toEqual(DEFAULT_VIEW);
});

test.each(["0x0", "1x3", "9x0", "9", "-9x3"])("packet=%s is no run and is named with what is one", (text) => {
  expect(decodeView(`packet=${text}`).packet).toBeUndefined();
  expect(ignoredIn(`packet=${text}`)).toEqual([`packet=${text} (2 points or more and 1 replica or more, such as 9x3)`]);
});

test("a target that the API would refuse is ignored and named", () => {
  const asked = "need=utilisation>=5,queue_mean<=-4,drop_rate<=0.001,drop_rate<=0.1,foo>=3";
  expect(decodeView(asked).objectives).toEqual([
    { metric: "drop_rate", op: "<=", value: 0.001 },
    { metric: "foo", op: ">=", value: 3 },
  ]);
  expect(
    ignoredIn(asked, new Set(["utilisation", "queue_mean", "drop_rate"])).map((text) => text.split(" ")[0]),
  ).toEqual(["need=utilisation>=5", "need=queue_mean<=-4", "need=drop_rate<=0.1", "need=foo>=3"]);
});
