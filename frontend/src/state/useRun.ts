import { useCallback, useState } from "react";

import { startStudy } from "@/api/studies";
import type { JsonObject } from "@/lib/path";
import { BUFFER, formatSweep, type Sweep } from "@/lib/sweep";
import type { Packet, View } from "@/lib/view";
import type { ChangeView } from "@/state/useView";

type Input = { view: View; change: ChangeView; scenario: JsonObject | undefined; sweep: Sweep; packet: Packet; restart: () => void };

/** Asks for the packet study of what the page shows. The same question gets the same study, finished points and all. */
export function useRun({ view, change, scenario, sweep, packet, restart }: Input) {
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const { points, replicas } = packet;
  const { study: current, scale } = view;
  const start = useCallback(() => {
    if (scenario === undefined || starting) return;
    setStarting(true);
    setError(undefined);
    startStudy({ scenario, over: { [BUFFER]: formatSweep(sweep, points) }, engines: ["packet"], replicas, ...(scale === undefined ? {} : { scale }) })
      .then((study) => {
        if (study === current) restart();
        else change({ study });
      })
      .catch((reason: unknown) => {
        setError(reason instanceof Error ? reason : new Error(String(reason)));
      })
      .finally(() => {
        setStarting(false);
      });
  }, [scenario, starting, sweep, points, replicas, scale, current, restart, change]);
  return { start, starting, error };
}
