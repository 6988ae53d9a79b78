import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { asicsQuery, headroomQuery } from "@/api/headroom";
import { ApiProblem, Unreachable } from "@/api/problem";
import { documentCodecOf } from "@/lib/document";
import { FIRST_LINK, HEADROOM_PANELS, linkOf, type HeadroomPanel } from "@/lib/headroom";
import { getPath } from "@/lib/path";
import { useDocument } from "@/state/useDocument";
import { useKept } from "@/state/useKept";

const codec = documentCodecOf(FIRST_LINK);
/** Counts what packets take in memory, and knows the law of a chip's shipped tables. */
const USUAL_SCHEME = "vendor";

/** What the headroom view shows and does, put together from the address bar and the API. */
export function useHeadroom() {
  const [state, change] = useDocument(codec);
  const link = useMemo(() => linkOf(state), [state]);
  const asics = useQuery(asicsQuery);
  const headroom = useQuery(headroomQuery(link));
  const answer = useKept(headroom.data);

  const wanted = getPath(state, "page.scheme");
  const names = Object.keys(answer?.schemes ?? {});
  const scheme = typeof wanted === "string" && names.includes(wanted) ? wanted : USUAL_SCHEME;
  const shown = getPath(state, "page.panel");
  const panel: HeadroomPanel = HEADROOM_PANELS.find((name) => name === shown) ?? "lines";
  const choose = useCallback(
    (name: string) => {
      change("page.scheme", name === USUAL_SCHEME ? undefined : name);
    },
    [change],
  );
  const open = useCallback(
    (name: HeadroomPanel) => {
      change("page.panel", name === "lines" ? undefined : name);
    },
    [change],
  );

  const failure = headroom.error ?? asics.error;
  return {
    state, change, link, answer, scheme, choose, panel, open,
    asics: asics.data,
    /** What is shown answers an earlier question. */
    stale: headroom.data === undefined,
    problem: headroom.error instanceof ApiProblem ? headroom.error : undefined,
    offline: failure instanceof Unreachable,
  };
}

export type HeadroomBench = ReturnType<typeof useHeadroom>;
