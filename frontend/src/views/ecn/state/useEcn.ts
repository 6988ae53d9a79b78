import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { forms } from "@/contract/forms";
import { ecnControlsQuery, ecnQuery } from "@/api/ecn";
import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery } from "@/api/queries";
import { ADVICE, chosenOf, ecnCodec, questionOf, type EcnQuestion } from "@/lib/ecn";
import { formOf } from "@/lib/forms";
import { isObject } from "@/lib/path";
import { namesOf, pick, withDefaults } from "@/lib/schema";
import { useDocument, useIgnored } from "@/state/useDocument";
import { useKept } from "@/state/useKept";

const root = forms;
const ecnSchema = formOf(root, "computeEcn");
const KNOWN = [...namesOf(ecnSchema), "page"];
const CHOICES = { "page.chosen": undefined };
const codec = ecnCodec(KNOWN);
const NO_PROBLEMS: never[] = [];

/** What the ECN view shows and does, put together from the address bar and the API. */
export function useEcn() {
  const [state, change] = useDocument(codec);
  const ignored = useIgnored(KNOWN, CHOICES);
  const question = useMemo(() => questionOf(state), [state]);
  const { data, error, isPlaceholderData } = useQuery(ecnQuery(question));
  const answer = useKept(data);
  const catalog = useQuery(catalogQuery);
  const controls = useQuery(ecnControlsQuery);

  // Only what has thresholds to set is offered.
  const axes = useMemo(() => {
    const axis = catalog.data?.axes.find((one) => one.axis === "congestion");
    if (axis === undefined || controls.data === undefined) return [];
    return [{ ...axis, kinds: axis.kinds.filter(({ kind }) => controls.data.includes(kind)), planned: [] }];
  }, [catalog.data, controls.data]);

  // The API says which control is the default.
  const filled = answer?.question as EcnQuestion | undefined;
  const usual = isObject(state.congestion) ? undefined : filled?.congestion;
  const known = usual !== undefined || isObject(state.congestion);
  const schema = useMemo(() => {
    // Until then none is shown, rather than a wrong one.
    if (!known)
      return pick(
        ecnSchema,
        namesOf(ecnSchema).filter((name) => name !== "congestion"),
      );
    return usual === undefined ? ecnSchema : withDefaults(ecnSchema, { congestion: usual });
  }, [known, usual]);

  const choose = useCallback(
    (name: string) => {
      change("page.chosen", name === ADVICE ? undefined : name);
    },
    [change],
  );
  const refused = error instanceof ApiProblem ? error : undefined;
  return {
    state,
    change,
    choose,
    ignored,
    schema,
    root,
    axes,
    answer,
    /** The thresholds found; undefined where none meet the targets. */
    advice: answer?.advice ?? undefined,
    asked: filled,
    chosen: chosenOf(state),
    problems: refused?.errors ?? NO_PROBLEMS,
    refusal: refused?.errors.length === 0 ? refused : undefined,
    stale: data === undefined || isPlaceholderData,
    offline: [error, catalog.error, controls.error].some((one) => one instanceof Unreachable),
  };
}

export type EcnBench = ReturnType<typeof useEcn>;
