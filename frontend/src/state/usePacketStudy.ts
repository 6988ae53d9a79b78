import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import { costQuery, studyQuery, type StudyRequest } from "@/api/studies";
import type { Point } from "@/lib/points";
import { SHORT } from "@/state/useRun";
import { isActive, useStudy } from "@/state/useStudy";

/** Pause in typing before a study starts [ms]. */
const PAUSE = 600;
const NONE: Point[] = [];

/**
 * The packet study of a question. One that is cheap starts by itself unless `asked`; the server answers the same
 * question from its store, so only the first one costs anything.
 */
export function usePacketStudy(body: StudyRequest | undefined, asked = false) {
  const key = JSON.stringify(body);
  const [settled] = useDebouncedValue(key, PAUSE);
  const current = settled === key ? body : undefined;
  const { data: seconds, error: refused } = useQuery(costQuery(current));
  const [wanted, setWanted] = useState<string>();
  const cheap = !asked && seconds !== undefined && seconds <= SHORT;
  const begun = useQuery({
    ...studyQuery(body),
    enabled: body !== undefined && (wanted === key || (cheap && settled === key)),
  });
  // Every part of a page that shows the study follows it anew when it is asked for again.
  const { study } = useStudy(begun.data, begun.dataUpdatedAt);
  const { refetch } = begun;
  const start = useCallback(() => {
    setWanted(key);
    // The id may be known already, of a study that was cancelled or removed since: the server has to run it again.
    void refetch({ cancelRefetch: false });
  }, [key, refetch]);
  return {
    points: study?.points ?? NONE,
    done: study?.status === "done",
    running: begun.isFetching || isActive(study) || (!asked && seconds === undefined && refused === null),
    seconds,
    start,
    error: begun.error ?? refused ?? study?.error,
  };
}
