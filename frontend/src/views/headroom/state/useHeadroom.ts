import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { asicsQuery, headroomQuery } from "@/api/headroom";
import { poolQuery } from "@/api/pool";
import { ApiProblem, Unreachable } from "@/api/problem";
import { documentCodecOf } from "@/lib/document";
import { FIRST_LINK, HEADROOM_PANELS, linkOf, poolOf, poolPath, type HeadroomPanel } from "@/lib/headroom";
import { getPath } from "@/lib/path";
import { namesOf } from "@/lib/schema";
import { linkSchema, schemeParameters } from "@/state/headroomForms";
import { useDocument, useIgnored } from "@/state/useDocument";
import { useKept } from "@/state/useKept";

const KNOWN = [...namesOf(linkSchema), "pool", "page"];
const codec = documentCodecOf(FIRST_LINK, KNOWN);
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
  const ignored = useIgnored(KNOWN, {
    "page.panel": HEADROOM_PANELS,
    "page.scheme": names.length > 0 ? names : undefined,
    "page.section": ["pool"],
    "page.export": undefined,
  });
  const scheme = typeof wanted === "string" && names.includes(wanted) ? wanted : USUAL_SCHEME;
  const shown = getPath(state, "page.panel");
  const panel: HeadroomPanel = HEADROOM_PANELS.find((name) => name === shown) ?? "lines";

  const capacity = asics.data?.find(({ id }) => id === link.asic)?.capacity ?? undefined;
  // The ports follow from the chip, so the pool waits until chips are known.
  const pooled = useMemo(
    () => (asics.data === undefined ? undefined : poolOf(state, scheme, capacity, schemeParameters)),
    [asics.data, state, scheme, capacity],
  );
  const pool = useQuery(poolQuery(pooled));
  const division = useKept(pool.data);

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

  const failure = headroom.error ?? pool.error ?? asics.error;
  const [linkProblem, poolProblem] = [headroom.error, pool.error].map((error) =>
    error instanceof ApiProblem ? error : undefined,
  );
  const problems = useMemo(() => {
    const ofPool = poolProblem?.errors.map((error) => ({ ...error, path: poolPath(error.path, state) })) ?? [];
    const all = [...(linkProblem?.errors ?? []), ...ofPool];
    return all.filter(({ path }, i) => all.findIndex((other) => other.path === path) === i);
  }, [linkProblem, poolProblem, state]);
  return {
    state,
    change,
    link,
    answer,
    scheme,
    choose,
    panel,
    open,
    problems,
    ignored,
    asics: asics.data,
    /** The pool's question; undefined while there is no memory to divide. */
    pooled,
    division: pooled === undefined ? undefined : division,
    /** What is shown answers an earlier question. */
    stale: headroom.data === undefined || headroom.isPlaceholderData,
    staleDivision: pool.data === undefined || pool.isPlaceholderData,
    /** Refused as a whole, not for a field. */
    refusal: linkProblem?.errors.length === 0 ? linkProblem : undefined,
    offline: failure instanceof Unreachable,
  };
}

export type HeadroomBench = ReturnType<typeof useHeadroom>;
