import { expect, test } from "vitest";

import { burstShare } from "@/answers/Packets";
import type { Windows } from "@/lib/windows";
import { part } from "@/test/part";

const port = (utilisation: number[], dropped: number[]) =>
  part<Windows["ports"][string]>({
    utilisation,
    dropped,
    offered: dropped.map(() => 10),
    queue_max: dropped.map(() => 0),
  });

test("drops are counted as a burst's where the port was full in that window", () => {
  const windows = part<Windows>({
    window: 2e-4,
    time: [0, 2e-4],
    ports: { a: port([1, 0.2], [6, 2]), b: port([0.94, 0.95], [1, 3]) },
  });
  expect(burstShare(windows)).toBeCloseTo(9 / 12);
});

test("without drops there is no share", () => {
  expect(burstShare(part<Windows>({ window: 2e-4, time: [0], ports: { a: port([1], [0]) } }))).toBeUndefined();
  expect(burstShare(undefined)).toBeUndefined();
});
