import { useDebouncedValue } from "@mantine/hooks";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { ApiProblem } from "@/api/problem";
import { cancelSize, isUnderWay, sizeCostQuery, sizeJobQuery, startSize, type SizeJob } from "@/api/size";
import { setPath, type JsonObject } from "@/lib/path";
import { BUFFER } from "@/lib/sweep";

/** A search expected to take at most this long starts by itself [s]. */
export const SHORT_SEARCH = 15;
/** Pause in typing before the server is asked [ms]. */
const PAUSE = 600;

/** Where the search for a question is kept, so that every part of a page that asks it sees the same one. */
const askedKey = (key: string | undefined) => ["size", "asked", key];

export type SizeSearch = {
  /** What it is expected to take [s]; undefined while unknown. */
  cost: number | undefined;
  /** The state of the search; undefined before it was started. */
  job: SizeJob | undefined;
  /** Why packets cannot answer, or what went wrong. */
  error: Error | undefined;
  start: () => void;
  cancel: () => void;
};

/**
 * The smallest buffer by packets for a scenario and requirements; short searches start by themselves where `auto` is
 * set.
 */
export function useSizeJob(scenario: JsonObject | undefined, require: string[], auto: boolean): SizeSearch {
  // The search replaces the chosen buffer, which therefore must not make it a new one.
  const key = useMemo(
    () =>
      scenario === undefined || require.length === 0
        ? undefined
        : JSON.stringify([setPath(setPath(scenario, BUFFER, "1 MB"), "name", undefined), require]),
    [scenario, require],
  );
  const [settled] = useDebouncedValue(key, PAUSE);
  const [base, wanted] = useMemo(
    () => (settled === undefined ? [undefined, []] : (JSON.parse(settled) as [JsonObject, string[]])),
    [settled],
  );
  const cost = useQuery(sizeCostQuery(base, wanted));
  const asked = useQuery<string>({ queryKey: askedKey(key), queryFn: skipToken, staleTime: Infinity });
  const [failed, setFailed] = useState<{ key: string; error: Error }>();
  const current = key === undefined ? undefined : asked.data;
  const found = useQuery(sizeJobQuery(current));
  const queries = useQueryClient();
  const start = useCallback(() => {
    if (base === undefined || settled === undefined) return;
    startSize(base, wanted)
      .then((job) => {
        queries.setQueryData(sizeJobQuery(job.id).queryKey, job);
        setFailed(undefined);
        queries.setQueryData(askedKey(settled), job.id);
      })
      .catch((reason: unknown) => {
        setFailed({ key: settled, error: reason instanceof Error ? reason : new Error(String(reason)) });
      });
  }, [base, wanted, settled, queries]);

  const seconds = settled === key ? cost.data : undefined;
  const begun = useRef<string>(undefined);
  useEffect(() => {
    if (!auto || key === undefined || seconds === undefined || seconds > SHORT_SEARCH || begun.current === key) return;
    // Once for every question: what was cancelled does not start again.
    begun.current = key;
    start();
  }, [auto, key, seconds, start]);

  // An obsolete search would only delay the next one.
  const running = isUnderWay(found.data) ? current : undefined;
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (last.current !== undefined && last.current !== current) cancelSize(last.current).catch(() => undefined);
    last.current = running;
  }, [current, running]);
  const cancel = useCallback(() => {
    if (current === undefined) return;
    cancelSize(current)
      .then(() => queries.invalidateQueries({ queryKey: sizeJobQuery(current).queryKey }))
      .catch(() => undefined);
  }, [current, queries]);

  const own = failed !== undefined && failed.key === key ? failed.error : undefined;
  const refused = settled === key && cost.error instanceof ApiProblem ? cost.error : undefined;
  return { cost: seconds, job: found.data, error: own ?? refused ?? found.error ?? undefined, start, cancel };
}
