import { useCallback, useState } from "react";

import { startStudy } from "@/api/studies";
import type { JsonObject } from "@/lib/path";
import { isActive, useStudy } from "@/state/useStudy";

/**
 * One packet run of `scenario`. `current` is the study that the address names; `keep` puts a new one there.
 */
export function useOneRun(
  scenario: JsonObject | undefined,
  current: string | undefined,
  keep: (study: string) => void,
) {
  const { study, cancel, restart } = useStudy(current);
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const start = useCallback(() => {
    if (scenario === undefined || starting) return;
    setStarting(true);
    setError(undefined);
    startStudy({ scenario, over: {}, engines: ["packet"], replicas: 1 })
      .then((id) => {
        if (id === current) restart();
        else keep(id);
      })
      .catch((reason: unknown) => {
        setError(reason instanceof Error ? reason : new Error(String(reason)));
      })
      .finally(() => {
        setStarting(false);
      });
  }, [scenario, starting, current, restart, keep]);
  return { study, start, starting, cancel, error, active: isActive(study), result: study?.points[0]?.result };
}
