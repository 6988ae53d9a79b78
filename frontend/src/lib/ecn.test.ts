import { expect, test } from "vitest";

import {
  busyness,
  chosenOf,
  ecnCodec,
  ecnCommand,
  nearest,
  outcome,
  questionOf,
  scenarioOf,
  settings,
  type EcnQuestion,
  type Thresholds,
} from "@/lib/ecn";
import { ecnFigure, placeOf, sceneOf } from "@/lib/ecnFigure";
import { placeLabels } from "@/lib/labels2d";
import { palettes } from "@/lib/palette";
import { getPath } from "@/lib/path";

const ramp: Thresholds = {
  name: "advice",
  kmin: 21e3,
  kmax: 430e3,
  pmax: 0.01,
  stable: true,
  queue_at_rest: 65e3,
  phase_margin_deg: 18.6,
  utilisation: 0.9999999999,
  drop_rate: 0,
  queue_mean: 65e3,
  queue_min: 64e3,
  queue_max: 66e3,
  meets: true,
  reasons: [],
  source: "",
};
const step: Thresholds = {
  ...ramp,
  name: "step",
  kmin: 6e4,
  kmax: 6e4,
  pmax: 1,
  stable: false,
  queue_at_rest: null,
  phase_margin_deg: null,
  utilisation: 0.97,
  queue_min: 0,
  queue_max: 9e4,
  meets: false,
  reasons: ["a", "b"],
};
const question: EcnQuestion = {
  speed: 1e11,
  rtt: 1e-5,
  flows: 16,
  buffer: 2e6,
  mtu: 1500,
  congestion: { kind: "newreno" },
  queue: null,
  utilisation: 0.99,
  phase_margin: 10,
};

test("thresholds and what they do, in words", () => {
  expect(`${settings(ramp)}: ${outcome(ramp, question.speed)}`).toBe(
    "Kmin 21.0 kB, Kmax 430 kB, Pmax 1.00 %: equilibrium queue 65.0 kB (5.20 µs), phase margin 19°, " +
      "the port is 100 % busy",
  );
  expect(`${settings(step)}: ${outcome(step, question.speed)}`).toBe(
    "K 60.0 kB: the queue oscillates between 0 B and 90.0 kB (7.20 µs), the port is 97.0 % busy",
  );
  expect(busyness(0.99817)).toBe("99.82 %");
});

test("a control may be written by its name, and what is the page's own is not asked", () => {
  const state = ecnCodec().decode("congestion=dctcp&speed=400G&page.chosen=SONiC+2018");
  expect(questionOf(state)).toEqual({ congestion: { kind: "dctcp" }, speed: "400G" });
  expect(chosenOf(state)).toBe("SONiC 2018");
  expect(chosenOf({})).toBe("advice");
});

test("what came nearest is stable before it oscillates, then misses least", () => {
  const long = { ...ramp, name: "long", reasons: ["too long"], queue_max: 9e5 };
  const short = { ...ramp, name: "short", reasons: ["too long"], queue_max: 2e5 };
  expect(nearest([step, long, short])?.name).toBe("short");
  expect(nearest([])).toBeUndefined();
});

test("the scenario of thresholds marks by them", () => {
  expect(getPath(scenarioOf(question, ramp), "switch.marking")).toEqual({
    kind: "red",
    kmin: 21000,
    kmax: 430000,
    pmax: 0.01,
  });
  expect(getPath(scenarioOf(question, step), "switch.marking")).toEqual({ kind: "step", threshold: 60000 });
  // A single flow needs a faster link, or nothing ever queues.
  expect(getPath(scenarioOf({ ...question, flows: 1 }, ramp), "topology.access")).toBe(2e11);
});

test("the command quotes what a shell would take apart", () => {
  const form = { properties: { speed: {}, flows: {}, phase_margin: {}, congestion: {} } };
  expect(ecnCommand({ speed: "400 Gb/s", flows: 8, phase_margin: 20, congestion: { kind: "dctcp" } }, form, form)).toBe(
    `footroom ecn --speed '400 Gb/s' --flows 8 --phase-margin 20 --congestion '{"kind":"dctcp"}'\n`,
  );
});

test("marks lie on the curve they belong to, and an empty queue at the lower edge", () => {
  const scene = sceneOf([ramp, { ...ramp, kmax: 43e3, queue_mean: 0 }], [step], question, 800, 430);
  expect(placeOf({ ...ramp, queue_mean: 0 }, scene).y).toBeCloseTo(scene.boxes[0].top + scene.boxes[0].height);
  expect(placeOf(ramp, scene).x).toBeGreaterThan(placeOf(step, scene).x);
  const figure = ecnFigure([ramp], question, scene, palettes.light);
  expect(figure.layout.annotations?.map(({ text }) => text)).toContain("longest queue 1.00 MB");
});

test("names find a place beside their points, or none", () => {
  const bounds = { left: 0, right: 300, top: 0, bottom: 100 };
  expect(placeLabels([{ x: 50, y: 50, width: 60 }], bounds)).toEqual(["right"]);
  const line = { left: 60, right: 100, top: 48, bottom: 52 };
  expect(placeLabels([{ x: 50, y: 50, width: 60 }], bounds, [line])).toEqual(["above"]);
  expect(placeLabels([{ x: 290, y: 50, width: 60 }], bounds)).toEqual(["left"]);
  const crowd = Array.from({ length: 9 }, () => ({ x: 150, y: 50, width: 60 }));
  const placed = placeLabels(crowd, bounds);
  expect(placed.slice(0, 4).sort()).toEqual(["above", "below", "left", "right"]);
  expect(placed[5]).toBeUndefined();
});
