/** Rules of thumb: buffer sizes that an explanation derives from the scenario alone, whatever buffer is swept. */
import { bufferOf, type Explanation, type Point } from "@/lib/points";

export type Rule = { engine: string; explanation: Explanation };

/** Explanations in bytes with the same value at every swept buffer, smallest first. */
export function rulesOf(points: Point[]): Rule[] {
  const found = new Map<string, { rule: Rule; constant: boolean }>();
  for (const { result } of points) {
    for (const explanation of result.explanations) {
      if (explanation.unit !== "B" || !(explanation.value > 0)) continue;
      const known = found.get(explanation.name);
      if (known === undefined) found.set(explanation.name, { rule: { engine: result.engine, explanation }, constant: true });
      else if (!close(known.rule.explanation.value, explanation.value)) known.constant = false;
    }
  }
  const buffers = new Set(points.map(bufferOf));
  return [...found.values()]
    .filter(({ constant }) => constant && buffers.size > 1)
    .map(({ rule }) => rule)
    .sort((a, b) => a.explanation.value - b.explanation.value);
}

const close = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(a, b);
