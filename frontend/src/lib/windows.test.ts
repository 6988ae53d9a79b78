import { expect, test } from "vitest";

import {
  joined,
  onset,
  possibleJoins,
  windowName,
  windowsFigure,
  type WindowedPort,
  type Windows,
} from "@/lib/windows";
import { palettes } from "@/lib/palette";
import { part } from "@/test/part";

const windows = part<Windows>({
  window: 0.01,
  time: Array.from({ length: 25 }, (_, i) => (i + 1) * 0.01),
  ports: {
    "left>right": part<WindowedPort>({
      utilisation: Array.from({ length: 25 }, (_, i) => (i % 2 === 0 ? 1 : 0.5)),
      offered: Array.from({ length: 25 }, (_, i) => (i % 2 === 0 ? 100 : 50)),
      dropped: Array.from({ length: 25 }, (_, i) => (i % 2 === 0 ? 3 : 0)),
      queue_max: Array.from({ length: 25 }, () => 0),
    }),
  },
});

test("joined windows weigh drops by packets and utilisation by time", () => {
  const ten = joined(windows, 10);
  expect(ten).toHaveLength(2);
  expect(ten[0]?.utilisation).toBeCloseTo(0.75, 12);
  expect(ten[0]?.dropRate).toBeCloseTo(15 / 750, 12);
  const all = joined(windows, 1);
  const lost = (points: typeof all) => points.reduce((sum, one) => sum + one.offered * one.dropRate, 0);
  expect(lost(all)).toBeCloseTo(39, 9);
  expect(lost(ten)).toBeCloseTo(30, 9);
});

test("averaging moves the onset of drops to lower utilisations", () => {
  expect(onset(joined(windows, 1))).toBe(1);
  expect(onset(joined(windows, 10))).toBeCloseTo(0.75, 12);
  expect(onset([])).toBeUndefined();
});

test("a window in which nothing was offered has no drop rate", () => {
  const idle: Windows = {
    ...windows,
    ports: { p: part<WindowedPort>({ utilisation: [0, 1], offered: [0, 10], dropped: [0, 1], queue_max: [0, 0] }) },
  };
  expect(joined(idle, 1)).toEqual([{ port: "p", utilisation: 1, dropRate: 0.1, offered: 10 }]);
});

test("only joins that leave some windows are offered, and are called by their length", () => {
  expect(possibleJoins(windows)).toEqual([1]);
  expect(possibleJoins({ ...windows, time: Array.from({ length: 400 }, (_, i) => i) })).toEqual([1, 10, 100]);
  expect([1, 10, 100].map((join) => windowName(0.01, join))).toEqual(["10 ms", "100 ms", "1 s"]);
});

test("windows without drops stand below the axis of rates", () => {
  const { data, layout } = windowsFigure(joined(windows, 1), 300, 200, palettes.light);
  const [lossy, clean] = data as { y: number[] }[];
  expect(Math.max(...(clean?.y ?? []))).toBeLessThan(Math.min(...(lossy?.y ?? [])));
  expect((layout.yaxis as { ticktext: string[] }).ticktext[0]).toBe("none");
});
