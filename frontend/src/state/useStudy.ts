import { useCallback, useEffect, useState } from "react";

import type { ApiProblem } from "@/api/problem";
import type { Unsupported } from "@/api/queries";
import { cancelStudy, followStudy, type StudyStatus } from "@/api/studies";
import type { Point } from "@/lib/points";

export type Study = {
  id: string;
  /** Absent until the server has said it. */
  status: StudyStatus | undefined;
  fraction: number;
  secondsLeft: number | undefined;
  points: Point[];
  /** Points that an engine cannot answer, and why. */
  unsupported: Unsupported[];
  error: ApiProblem | undefined;
  /** The connection broke and is being tried again. */
  broken: boolean;
};

const begun = (id: string): Study => ({
  id,
  status: undefined,
  fraction: 0,
  secondsLeft: undefined,
  points: [],
  unsupported: [],
  error: undefined,
  broken: false,
});

/** The study called `id` as it stands, followed live while it runs; anew when `asked` changes. */
export function useStudy(
  id: string | undefined,
  asked = 0,
): {
  study: Study | undefined;
  cancel: () => void;
  restart: () => void;
} {
  const [study, setStudy] = useState<Study>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (id === undefined) return;
    const update = (change: (study: Study) => Partial<Study>) => {
      setStudy((before) => {
        const own = before?.id === id ? before : begun(id);
        return { ...own, ...change(own) };
      });
    };
    update(() => begun(id));
    return followStudy(id, {
      status: (status, error) => {
        update(() => ({ status, error, broken: false }));
      },
      progress: (fraction, secondsLeft) => {
        update(() => ({ fraction, secondsLeft, broken: false }));
      },
      point: (point) => {
        update(({ points }) => ({ points: [...points, point] }));
      },
      unsupported: (refusal) => {
        update(({ unsupported }) => ({ unsupported: [...unsupported, refusal] }));
      },
      end: () => {
        update(({ status }) => ({ broken: false, status: status ?? "failed" }));
      },
      broken: () => {
        update(() => ({ broken: true }));
      },
    });
  }, [id, attempt, asked]);

  const cancel = useCallback(() => {
    // What happens next arrives with the events.
    if (id !== undefined) cancelStudy(id).catch(() => undefined);
  }, [id]);
  const restart = useCallback(() => {
    setAttempt((count) => count + 1);
  }, []);
  return { study: study?.id === id ? study : undefined, cancel, restart };
}

export const isActive = (study: Study | undefined) =>
  study !== undefined && (study.status === undefined || study.status === "queued" || study.status === "running");
