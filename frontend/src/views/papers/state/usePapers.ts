import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";

import {
  cancelPaper,
  isUnderWay,
  paperCasesQuery,
  paperQuery,
  paperRunQuery,
  papersQuery,
  runPaper,
  type PaperRun,
} from "@/views/papers/api";
import { ApiProblem, failureOf, Unreachable } from "@/api/problem";
import { papersCodec, rowsOf, shownRows, usualTier, type PapersView, type Tier } from "@/views/papers/lib/papers";
import { useAddress, type Step } from "@/state/useAddress";

type Patch = { [Key in keyof PapersView]?: PapersView[Key] | undefined };

/** What the papers view shows and does, put together from the address bar and the API. */
export function usePapers() {
  const [view, set] = useAddress(papersCodec);
  const change = useCallback(
    (patch: Patch, step?: Step) => {
      set(
        (before) =>
          Object.fromEntries(
            Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined),
          ) as PapersView,
        step,
      );
    },
    [set],
  );
  const client = useQueryClient();
  const papers = useQuery(papersQuery);
  const chosen =
    papers.data?.find(({ id }) => id === view.paper) ?? (view.paper === undefined ? papers.data?.[0] : undefined);
  const id = chosen?.id;
  const paper = useQuery(paperQuery(id));
  const tier =
    view.tier ?? usualTier(chosen?.verdicts, chosen?.released.targets.length === 0 ? undefined : chosen?.released.tier);
  const run = useQuery(paperRunQuery(id, tier));
  const cases = useQuery(paperCasesQuery(view.tab === "scenarios" ? id : undefined, tier));
  const result = run.data?.result ?? undefined;

  const kept = (document: PaperRun) => {
    // Another paper may be shown by now: the answer is kept where it belongs.
    client.setQueryData(paperRunQuery(document.paper, document.tier).queryKey, document);
  };
  type Asked = { paper: string; tier: Tier };
  const started = useMutation({ mutationFn: (asked: Asked) => runPaper(asked.paper, asked.tier), onSuccess: kept });
  const stopped = useMutation({ mutationFn: (asked: Asked) => cancelPaper(asked.paper, asked.tier), onSuccess: kept });
  const { mutate: start } = started;
  const { mutate: cancel } = stopped;
  /** What was started last is the run that is shown. */
  const own = started.variables?.paper === id && started.variables?.tier === tier;

  // The list tells the verdicts of what was run, so it is asked again when a run is done.
  const status = run.data?.status;
  useEffect(() => {
    if (status === "done") void client.invalidateQueries({ queryKey: papersQuery.queryKey, exact: true });
  }, [client, status, id, tier]);

  const targets = chosen?.targets;
  /** What came with this version, while nothing was run here at this size. */
  const shipped = chosen !== undefined && chosen.released.targets.length > 0 ? chosen.released : undefined;
  const released = result === undefined && shipped?.tier === tier ? shipped : undefined;
  const judged = result?.targets ?? released?.targets;
  const rows = useMemo(() => rowsOf(targets ?? [], judged), [targets, judged]);
  const shown = useMemo(() => shownRows(rows, view), [rows, view]);
  const refused = [papers.error, paper.error, run.error, cases.error].find((error) => error instanceof ApiProblem);
  const failed = run.data?.error;
  return {
    view,
    tier,
    change,
    rows,
    shown,
    chosen,
    result,
    released,
    figures: result?.figures ?? (released === undefined ? undefined : paper.data?.released.figures),
    cases: cases.data,
    papers: papers.data,
    paper: paper.data,
    run: run.data,
    active: isUnderWay(run.data),
    start: () => {
      if (id !== undefined) start({ paper: id, tier });
    },
    cancel: () => {
      if (id !== undefined) cancel({ paper: id, tier });
    },
    starting: own && started.isPending,
    /** Why a run did not start or did not end. */
    failure: (own ? started.error : null) ?? failureOf(failed),
    /** Asked for by the address, but not there. */
    unknown: papers.data !== undefined && chosen === undefined,
    refusal: refused,
    offline: [papers.error, paper.error, run.error, started.error].some((error) => error instanceof Unreachable),
  };
}

export type PapersBench = ReturnType<typeof usePapers>;
