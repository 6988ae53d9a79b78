import type { Point } from "@/lib/points";

/** A point as an engine answers it. */
export function point(
  engine: string,
  buffer: number,
  metrics: Record<string, number>,
  intervals: Record<string, [number, number]> = {},
): Point {
  return {
    at: { "switch.buffer": buffer },
    result: { engine, scenario: {}, metrics, intervals, notes: [], explanations: [] },
  };
}
