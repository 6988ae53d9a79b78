import { expect, test } from "vitest";

import { palettes } from "@/lib/palette";
import { pixelOf, spanOf, stepAt, stepsOf, timeFigure, timeScene, timeUnder, type Panel } from "@/lib/timePanels";

const panel = (more: Partial<Panel> = {}): Panel => ({
  title: "queue",
  unit: "B",
  height: 100,
  ends: [1, 2, 3, 4],
  step: 1,
  lines: [{ name: "queue", values: [0, 10, 20, 5], style: "solid", colour: "current" }],
  ...more,
});

test("a step is found by any time within it, its end included", () => {
  const ends = [1, 2, 3, 4];
  expect([0.2, 1, 1.0001, 2.5, 3, 9].map((time) => stepAt(ends, time))).toEqual([0, 0, 1, 2, 2, 3]);
  const many = Array.from({ length: 1000 }, (_, i) => i * i);
  for (const time of [0, 3, 500.5, 998001]) expect(stepAt(many, time)).toBe(many.findIndex((end) => end >= time));
});

test("the span reaches from the first step's beginning to the last end of any plot", () => {
  expect(spanOf([panel(), panel({ ends: [2, 4, 6], step: 2 })])).toEqual([0, 6]);
  expect(stepsOf([panel(), panel({ ends: [2, 4, 6], step: 2 })])).toEqual([2, 4, 6]);
  expect(spanOf([])).toEqual([0, 1]);
});

test("a time and its pixel lead to one another, and there is none outside the plots", () => {
  const scene = timeScene([panel(), panel()], 600, [1, 5]);
  for (const time of [1, 2.25, 5]) expect(timeUnder(pixelOf(time, scene), scene)).toBeCloseTo(time, 9);
  expect(timeUnder(scene.left - 2, scene)).toBeUndefined();
  expect(timeUnder(scene.width - scene.right + 2, scene)).toBeUndefined();
});

test("plots follow one another without touching", () => {
  const { boxes, height } = timeScene([panel({ height: 80 }), panel({ height: 40 }), panel()], 600, [0, 4]);
  boxes.forEach((box, i) => {
    const next = boxes[i + 1];
    expect(box.top + box.height).toBeLessThan(next?.top ?? height);
  });
  expect(boxes.map((box) => box.height)).toEqual([80, 40, 100]);
});

test("empty steps have no bars, and a band reaches from its line to its edge", () => {
  const drawn = timeFigure(
    [
      panel({ lines: [{ name: "dropped", values: [0, 3, 0, 1], style: "bars", colour: "bad" }] }),
      panel({
        lines: [{ name: "queue", values: [0, 1, 2, 3], edge: [4, 5, 6, 7], style: "solid", colour: "current" }],
      }),
    ],
    timeScene([panel(), panel()], 600, [0, 4]),
    palettes.light,
  );
  const [bars, edge, band] = drawn.data as { type: string; x: number[]; y: number[]; fill?: string; yaxis: string }[];
  expect(bars).toMatchObject({ type: "bar", x: [1.5, 3.5], y: [3, 1], yaxis: "y" });
  expect(edge).toMatchObject({ y: [4, 5, 6, 7], yaxis: "y2" });
  expect(band).toMatchObject({ y: [0, 1, 2, 3], fill: "tonexty" });
});

test("the axis ends above all that is drawn unless it is told where", () => {
  const scene = timeScene([panel()], 600, [0, 4]);
  const range = (own: Panel) => (timeFigure([own], scene, palettes.dark).layout.yaxis as { range: number[] }).range;
  expect(range(panel())[1]).toBeGreaterThan(20);
  expect(range(panel({ top: 7 }))).toEqual([0, 7]);
});
