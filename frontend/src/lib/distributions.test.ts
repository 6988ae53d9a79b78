import { expect, test } from "vitest";

import {
  queueAt,
  queueCsv,
  queueFigure,
  queueText,
  sizesCsv,
  slowdownFigure,
  slowdownText,
  type Queues,
  type SizeRow,
} from "@/lib/distributions";
import { palettes } from "@/lib/palette";

const queues: Queues = {
  share: [0, 0.5, 0.99, 1],
  queues: [
    { port: "all", bytes: [0, 1500, 30000, 60000] },
    { port: "tor>h1", bytes: [0, 3000, 45000, 60000] },
  ],
};
const row: SizeRow = {
  above: 2000,
  upto: 4000,
  count: 7,
  mean: 2e-5,
  p50: 1e-5,
  p99: 9e-5,
  slowdown_p50: 1.3,
  slowdown_p99: 4,
};
const unmeasured: SizeRow = { ...row, above: 4000, upto: 8000, slowdown_p50: null, slowdown_p99: null };

test("queues are read at the shares that are told, and at no other", () => {
  expect(queueAt(queues, 1, 0.99)).toBe(45000);
  expect(queueAt(queues, 0, 0.9)).toBeUndefined();
});

test("plots are told in words", () => {
  expect(queueText(queues).summary).toContain(
    "Queue of tor → h1: at most 3.00 kB for half of the time, at most 45.0 kB for 99 %.",
  );
  expect(slowdownText([row]).summary).toContain("1.30 in the median and 4.00 at the 99th percentile up to 4.00 kB");
  expect(slowdownText([unmeasured]).summary).toBe("No slowdown was measured.");
});

test("CSV has a line for every share and every class, empty where nothing was measured", () => {
  expect(queueCsv(queues).split("\n").slice(0, 3)).toEqual([
    "share of time,all [B],tor>h1 [B]",
    "0,0,0",
    "0.5,1500,3000",
  ]);
  expect(sizesCsv([row, unmeasured]).split("\n").slice(1, 3)).toEqual([
    "2000,4000,7,0.00002,0.00001,0.00009,1.3,4",
    "4000,8000,7,0.00002,0.00001,0.00009,,",
  ]);
});

test("figures draw the queues against the share of time, and both slowdowns against size", () => {
  const [all, busiest] = queueFigure(queues, 300, 200, palettes.light).data;
  expect(all).toMatchObject({ x: [0, 1500, 30000, 60000], y: queues.share });
  expect(busiest).toMatchObject({ line: { dash: "dash" } });
  expect(slowdownFigure([row, unmeasured], 300, 200, palettes.light).data).toMatchObject([
    { x: [4000], y: [1.3] },
    { x: [4000], y: [4] },
  ]);
});
