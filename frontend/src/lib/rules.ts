/** Rules of thumb: buffer sizes that a formula derives from the scenario, whatever buffer was chosen. */
import type { Explanation, Result } from "@/lib/points";

export type Rule = { engine: string; explanation: Explanation };

/** Theory's explanations in bytes that explain no metric, smallest first. */
export function rulesOf(results: Result[], metrics: Record<string, unknown>): Rule[] {
  return results
    .filter(({ engine }) => engine === "theory")
    .flatMap(({ engine, explanations }) =>
      explanations
        .filter(({ name, unit, value }) => unit === "B" && value > 0 && !(name in metrics))
        .map((explanation) => ({ engine, explanation })),
    )
    .sort((a, b) => a.explanation.value - b.explanation.value);
}
