import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";

import { wordsOf } from "@/api/problem";
import { sizeQuery } from "@/api/size";
import type { Units } from "@/lib/answerWords";
import { formatObjective, type Objective } from "@/lib/objectives";
import { setPath, type JsonObject } from "@/lib/path";
import { enginesOf, type Point } from "@/lib/points";
import { solutionOf, type Solution } from "@/lib/solution";
import { BUFFER } from "@/lib/sweep";

const INSTANT = ["theory", "fluid"];
/** Pause in typing before the server is asked [ms]. */
const PAUSE = 400;

type Input = {
  scenario: JsonObject | undefined;
  points: Point[];
  /** Engines whose curve belongs to an earlier scenario, or is not whole: they are asked once it is drawn. */
  late: string[];
  /** Engines shown. */
  engines: string[];
  objectives: Objective[];
  units: Units;
};

type Asked = { engine: string; objectives: Objective[] };

/**
 * The smallest buffer as each engine that answers at once solves for it, with the default search of the command line.
 */
export function useSolved({ scenario, points, late, engines, objectives, units }: Input): Record<string, Solution> {
  const current = useMemo(() => {
    const able = INSTANT.filter((engine) => engines.includes(engine) && enginesOf(points).includes(engine)).flatMap(
      (engine): Asked[] => {
        const own = points.filter(({ result }) => result.engine === engine);
        const judged = objectives.filter(({ metric }) =>
          own.some(({ result }) => result.metrics[metric] !== undefined),
        );
        return judged.length === 0 ? [] : [{ engine, objectives: judged }];
      },
    );
    // The search replaces the chosen buffer, which therefore must not make it a new one.
    return {
      scenario: scenario === undefined ? undefined : (setPath(scenario, BUFFER, "1 MB") as JsonObject),
      asked: able.filter(({ engine }) => !late.includes(engine)),
      later: able.map(({ engine }) => engine).filter((engine) => late.includes(engine)),
    };
  }, [scenario, points, late, engines, objectives]);
  const key = JSON.stringify(current);
  const [settled] = useDebouncedValue(key, PAUSE);
  const { scenario: base, asked } = useMemo(() => JSON.parse(settled) as typeof current, [settled]);
  const found = useQueries({
    queries: asked.map(({ engine, objectives: own }) => sizeQuery(base, own.map(formatObjective), engine)),
  });
  const solved = current.asked.map(({ engine }): [string, Solution] => {
    const index = asked.findIndex((one) => one.engine === engine);
    const answer = settled === key ? found[index] : undefined;
    if (answer?.data !== undefined) return [engine, solutionOf(answer.data, asked[index]?.objectives ?? [], units)];
    return [engine, answer?.error ? { state: "unsolved", words: wordsOf(answer.error) } : { state: "pending" }];
  });
  // Not solved yet where the question waits for the curve: two swept sizes are no answer.
  const later = current.later.map((engine): [string, Solution] => [engine, { state: "pending" }]);
  return Object.fromEntries([...solved, ...later]);
}
