import { useCallback, useMemo } from "react";

import { giveUp, startStudy } from "@/api/studies";
import type { JsonObject } from "@/lib/path";
import { useStarting } from "@/state/useStarting";
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
  const key = useMemo(() => (scenario === undefined ? undefined : JSON.stringify(scenario)), [scenario]);
  const { begin, starting, error } = useStarting(key);
  const start = useCallback(() => {
    if (scenario === undefined || starting) return;
    begin(
      () => startStudy({ scenario, over: {}, engines: ["packet"], replicas: 1 }),
      (id) => {
        if (id === current) restart();
        else keep(id);
      },
      giveUp,
    );
  }, [scenario, starting, begin, current, restart, keep]);
  return { study, start, starting, cancel, error, active: isActive(study), result: study?.points[0]?.result };
}
