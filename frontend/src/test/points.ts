import type { Point, Result } from "@/lib/points";
import { part } from "@/test/part";

/** A point as an engine answers it. */
export function point(
  engine: string,
  buffer: number,
  metrics: Record<string, number>,
  intervals: Record<string, [number, number]> = {},
): Point {
  return {
    at: { "switch.buffer": buffer },
    result: part<Result>({
      engine,
      scenario: {},
      metrics,
      intervals,
      outside_validity: {},
      notes: [],
      explanations: [],
    }),
  };
}
