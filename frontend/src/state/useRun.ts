import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";

import { costQuery, giveUp, startStudy, type StudyRequest } from "@/api/studies";
import { simulators } from "@/lib/mixed";
import type { JsonObject } from "@/lib/path";
import { BUFFER, formatSweep, type Sweep } from "@/lib/sweep";
import { sweptQuestion } from "@/lib/sweptQuestion";
import type { Packet, View } from "@/lib/view";
import { useStarting } from "@/state/useStarting";
import type { ChangeView } from "@/state/useView";

/** A study of at most this length starts by itself where no other engine answers [s]. */
export const SHORT = 10;
/** Pause in typing before a study starts [ms]. */
const PAUSE = 600;

type Input = {
  view: View;
  change: ChangeView;
  scenario: JsonObject | undefined;
  sweep: Sweep;
  packet: Packet;
  restart: () => void;
  /** No engine that answers at once does: a short study starts by itself. */
  alone: boolean;
};

/** Asks for the packet study of what the page shows. The same question gets the same study, finished points and all. */
export function useRun({ view, change, scenario, sweep, packet, restart, alone }: Input) {
  const { points, replicas } = packet;
  const { study: current, scale } = view;
  // A text: it changes only when the engines do.
  const asked = simulators(view.engines, scenario).join();
  const body = useMemo(
    (): StudyRequest | undefined =>
      scenario === undefined
        ? undefined
        : {
            scenario,
            over: { [BUFFER]: formatSweep(sweep, points) },
            engines: asked.split(","),
            replicas,
            ...(scale === undefined ? {} : { scale }),
          },
    [scenario, sweep, points, replicas, scale, asked],
  );
  const [settled] = useDebouncedValue(body, PAUSE);
  const asks = current === undefined && (view.engines.includes("packet") || asked.startsWith("hybrid"));
  const cost = useQuery(costQuery(asks ? settled : undefined));
  // Points of other sizes stay right, so that the range and the chosen buffer make no other question.
  const question = useMemo(
    () =>
      scenario === undefined ? undefined : JSON.stringify([sweptQuestion(scenario), asked, replicas, scale ?? null]),
    [scenario, asked, replicas, scale],
  );
  const { begin, starting, error } = useStarting(question);
  const start = useCallback(() => {
    if (body === undefined || starting) return;
    begin(
      () => startStudy(body),
      (study) => {
        if (study === current) restart();
        else change({ study });
      },
      giveUp,
    );
  }, [body, starting, begin, current, restart, change]);

  const seconds = asks && settled === body ? cost.data : undefined;
  const begun = useRef<string>(undefined);
  useEffect(() => {
    if (!alone || !asks || seconds === undefined || seconds > SHORT) return;
    // Once for every question: a refused or cancelled study does not start again.
    const key = JSON.stringify(body);
    if (begun.current === key) return;
    begun.current = key;
    start();
  }, [alone, asks, seconds, body, start]);
  return { start, starting, error, cost: seconds };
}
