import { expect, test } from "vitest";

import {
  absorbsWords,
  alphaWords,
  arrivalWords,
  burstLoss,
  emulateCommand,
  incastScenario,
  losesElsewhere,
  lossWords,
  nameOf,
  observedWords,
  policiesOf,
  policyPanels,
  policyTitle,
  policyToRun,
  questionOf,
  sharingCodec,
  withTimeline,
  type Emulated,
  type Emulation,
} from "@/lib/emulation";
import type { Axis } from "@/lib/component";
import { catalog } from "@/test/api";
import { part } from "@/test/part";

const axis = catalog.axes.find((one) => one.axis === "sharing") as unknown as Axis;

const policy = (kind: string, more: Partial<Emulated> = {}): Emulated => ({
  kind,
  label: kind,
  policy: { kind },
  lossless: true,
  offered: { packets: 4, bytes: 6000 },
  admitted: { packets: 4, bytes: 6000 },
  dropped: { packets: 0, bytes: 0 },
  drop_rate: 0,
  bursts: [{ start: 0, packets: 4, bytes: 6000, dropped_packets: 0, dropped_bytes: 0, first_drop: null }],
  peak_queue: 4500,
  peak_port: 0,
  peak_memory: 4500,
  ports: [],
  observed: {},
  counts: {},
  absorbs: null,
  series: [
    {
      port: 0,
      queue: [3000, 1500],
      queue_min: [0, 1500],
      queue_max: [4500, 3000],
      threshold_min: [11500, null],
      threshold_max: [16000, null],
      dropped: [0, 0],
    },
  ],
  memory: { free: [13000, 14500], free_min: [11500, 13000], free_max: [16000, 14500] },
  ...more,
});
const emulation = (...policies: Emulated[]): Emulation =>
  part<Emulation>({
    arrivals: {
      source: "incast",
      packets: 4,
      bytes: 6000,
      flows: 2,
      bursts: 1,
      last: 1e-6,
      burst_bytes: 6000,
      rate: 2e11,
      drain: 1e11,
    },
    policies,
    time: [0, 1e-6],
    smallest_alpha: null,
    notes: [],
    explanations: [],
    question: { degree: 2, size: 3000 },
  });

test("the page's own state stays out of the question, and a trace replaces the incast", () => {
  const state = sharingCodec.decode("degree=40&buffer=2+MB&page.near=true&run.preset=x");
  expect(questionOf(state, undefined)).toEqual({ degree: 40, buffer: "2 MB" });
  expect(questionOf(state, "time,port,size\n")).toEqual({ buffer: "2 MB", trace: "time,port,size\n" });
});

test("every kind is compared until some are named, by name or with parameters", () => {
  expect(policiesOf({}, axis)).toEqual([{ kind: "complete" }, { kind: "dynamic_threshold" }]);
  expect(policiesOf({ policies: ["complete", { kind: "dynamic_threshold", alpha: 2 }] }, axis)).toEqual([
    { kind: "complete" },
    { kind: "dynamic_threshold", alpha: 2 },
  ]);
  expect(policyTitle({ kind: "dynamic_threshold", alpha: 2 }, axis)).toBe("Dynamic threshold, α 2");
  expect(nameOf(policy("dynamic_threshold", { label: "dynamic_threshold alpha=2" }), axis)).toBe(
    "Dynamic threshold alpha=2",
  );
  // No identifier is shown for a name that has not come yet.
  expect(nameOf(policy("dynamic_threshold"), undefined)).toBe("…");
});

test("what arrives, what is lost and what is absorbed is said in words", () => {
  expect(arrivalWords(emulation())).toBe(
    "2 senders with 3.00 kB each, 6.00 kB, arrive at 200 Gb/s and drain at 100 Gb/s.",
  );
  expect(
    alphaWords({ emulated: 0.5, closed_form: 0.5, dynamic_th: -1, queue: 1, best_alpha: 0.5, best_dropped: 0 }),
  ).toBe("The smallest α that loses nothing is 0.500");
  expect(
    alphaWords({ emulated: null, closed_form: null, dynamic_th: null, queue: 1, best_alpha: 32, best_dropped: 2e6 }),
  ).toBe("No α avoids loss; 32 loses least, 2.00 MB");
  expect(
    absorbsWords({ unbounded: true, bytes: null, queue: null, time: null, closed_form: null, repeated: null }),
  ).toBe("any");
  expect(lossWords(policy("complete"))).toBe("nothing of the burst");
});

test("losses of the burst are told apart from those of other ports", () => {
  const lossy = policy("complete", {
    dropped: { packets: 3, bytes: 4500 },
    drop_rate: 0.75,
    bursts: [{ start: 0, packets: 4, bytes: 6000, dropped_packets: 1, dropped_bytes: 1500, first_drop: 5e-7 }],
  });
  expect(burstLoss(lossy)).toEqual({ bytes: 1500, share: 0.25 });
  expect(losesElsewhere([policy("complete"), lossy])).toBe(true);
  expect(losesElsewhere([policy("complete")])).toBe(false);
  expect(lossWords(lossy)).toBe("1.50 kB of the burst, 25.0 %");
  expect(lossWords({ ...lossy, bursts: [] })).toBe("4.50 kB, 75.0 %");
});

test("all policies are drawn to one scale, which ends with the memory or near the queue", () => {
  const answer = emulation(
    policy("complete"),
    policy("dynamic_threshold", {
      series: [
        {
          port: 0,
          queue: [1, 1],
          queue_min: [0, 0],
          queue_max: [9000, 1],
          threshold_min: [1e9, 1e9],
          threshold_max: [1e9, 1e9],
          dropped: [500, 0],
        },
      ],
    }),
  );
  const [first, second] = policyPanels(answer, undefined, false, axis);
  expect(first?.top).toBe(second?.top);
  // A limit beyond the memory does not stretch the axis.
  expect(first?.top).toBeLessThan(20_000);
  expect(first?.ends).toEqual([1e-6, 2e-6]);
  expect(second?.lines.map(({ name }) => name)).toEqual(["queue", "threshold", "free", "lost"]);
  expect(second?.lines[3]?.values).toEqual([0.94 * (second?.top ?? 0), null]);
  expect(first?.lines.map(({ name }) => name)).toEqual(["queue", "threshold", "free"]);
});

test("the same incast for the packet engine has the numbers of the question, however they are written", () => {
  const written = incastScenario({ degree: 8, size: "64 KiB", buffer: "2 MB", rate: "25G" }, { kind: "complete" });
  const computed = incastScenario(
    { degree: 8, size: 65536, buffer: 2e6, rate: 25e9, ports: 32, packet: 1500 },
    { kind: "complete" },
  );
  expect(written).toEqual(computed);
  expect(written).toMatchObject({
    switch: { buffer: 2e6, sharing: { kind: "complete" } },
    traffic: [{ kind: "incast", degree: 8, size: 65536 }],
    topology: { hosts: 32, rate: 25e9 },
  });
  expect(incastScenario({ degree: 100 }, { kind: "complete" })).toMatchObject({ topology: { hosts: 101 } });
});

test("the same question for a terminal", () => {
  const form = { properties: { degree: {}, size: {}, buffer: {}, policies: {}, trace: {} } };
  const question = {
    degree: 40,
    size: "64 KiB",
    policies: ["edt", { kind: "dynamic_threshold", alpha: 0.5 }, { kind: "smartbuf", sigma: 32, nearest: 5 }],
  };
  expect(emulateCommand(question, undefined, form, form)).toBe(
    "footroom emulate --degree 40 --size '64 KiB' --policy edt --policy dynamic_threshold:alpha=0.5 " +
      "--policy smartbuf:sigma=32,nearest=5\n",
  );
  expect(emulateCommand({ buffer: 2e6, trace: "time,port,size" }, "my trace.csv", form, form)).toBe(
    "footroom emulate --trace 'my trace.csv' --buffer 2000000\n",
  );
});

test("the packet run takes the policy that is looked at", () => {
  expect(policyToRun({}, axis)).toEqual({ kind: "dynamic_threshold" });
  expect(policyToRun({ page: { policy: 0 } }, axis)).toEqual({ kind: "complete" });
  expect(policyToRun({ policies: ["complete"] }, axis)).toEqual({ kind: "complete" });
});

test("a scenario without a timeline records all of its run", () => {
  const seconds = () => 8;
  expect(withTimeline({ run: { duration: "8 s" } }, seconds)).toEqual({
    run: { duration: "8 s", timeline: { start: 0, end: 8, step: 0.008 } },
  });
  const own = { run: { timeline: { start: 1, end: 2, step: 0.1 } } };
  expect(withTimeline(own, seconds)).toBe(own);
});

test("what a policy counted is told with units, and errors only of what was predicted", () => {
  const observed = { entries: 1, predictions: 0, error_mean: 0, largest: 2432500 };
  const counts = {
    entries: { unit: "1", title: "entries in the map" },
    predictions: { unit: "1", title: "bursts predicted" },
    error_mean: { unit: "1", title: "mean relative prediction error" },
    largest: { unit: "B", title: "largest burst" },
  };
  expect(observedWords({ observed, counts })).toBe("entries in the map 1, bursts predicted 0, largest burst 2.43 MB");
  expect(observedWords({ observed: { ...observed, predictions: 2, error_mean: 0.5 }, counts })).toContain(
    "mean relative prediction error 0.500",
  );
});
