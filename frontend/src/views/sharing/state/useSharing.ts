import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import { emulateQuery } from "@/api/emulate";
import { forms } from "@/contract/forms";
import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery } from "@/api/queries";
import {
  MODES,
  policiesOf,
  questionOf,
  sharingCodec,
  SHARING_PANELS,
  type Mode,
  type SharingPanel,
} from "@/lib/emulation";
import { formOf } from "@/lib/forms";
import { getPath, type Json } from "@/lib/path";
import { namesOf, withDefaults } from "@/lib/schema";
import { useDocument, useIgnored } from "@/state/useDocument";
import { useKept } from "@/state/useKept";

/** A file of arrivals. It stays in this page: a link does not carry it. */
export type Trace = { name: string; text: string };

const root = forms;
const bare = formOf(root, "emulate");
const KNOWN = [...namesOf(bare), "page", "run"];
const CHOICES = {
  "page.mode": MODES,
  "page.panel": SHARING_PANELS,
  "page.near": ["true", "false"],
  "page.policy": undefined,
  "page.port": undefined,
};
const NO_PROBLEMS: never[] = [];

/**
 * What the sharing view shows and does while policies are compared alone, put together from the address bar and the
 * API.
 */
export function useSharing() {
  const [state, change] = useDocument(sharingCodec);
  const ignored = useIgnored(KNOWN, CHOICES);
  const [trace, setTrace] = useState<Trace>();
  const page = (name: string) => getPath(state, `page.${name}`);
  const mode: Mode = MODES.find((one) => one === page("mode")) ?? "alone";
  const panel: SharingPanel = SHARING_PANELS.find((one) => one === page("panel")) ?? "answer";

  const catalog = useQuery(catalogQuery);
  const question = useMemo(
    () => Object.fromEntries(Object.entries(questionOf(state, trace?.text)).filter(([name]) => KNOWN.includes(name))),
    [state, trace],
  );
  const { data, error, isPlaceholderData } = useQuery(emulateQuery(mode === "alone" ? question : undefined));
  const answer = useKept(data);

  // Values of the question where a field is empty.
  const degree = answer?.question.degree;
  const schema = useMemo(() => withDefaults(bare, typeof degree === "number" ? { degree } : {}), [degree]);
  const axis = catalog.data?.axes.find((one) => one.axis === "sharing");
  const policies = useMemo(() => policiesOf(state, axis), [state, axis]);
  /** A policy is edited within the whole list: while none is named, there is no list to edit in. */
  const edit = useCallback(
    (path: string, value: Json | undefined) => {
      change(path.startsWith("policies.") ? { policies, [path]: value } : { [path]: value });
    },
    [change, policies],
  );
  const compare = useCallback(
    (list: Json[]) => {
      change("policies", list, "push");
    },
    [change],
  );
  const show = useCallback(
    (name: string, value: Json | undefined) => {
      change(`page.${name}`, value);
    },
    [change],
  );

  const refused = error instanceof ApiProblem ? error : undefined;
  const port = page("port");
  const chosen = page("policy");
  return {
    state,
    change,
    ignored,
    edit,
    compare,
    show,
    mode,
    panel,
    policies,
    axis,
    question,
    trace,
    setTrace,
    answer,
    axes: catalog.data?.axes ?? NO_PROBLEMS,
    schema,
    root,
    port: typeof port === "number" ? port : undefined,
    /** Index of the policy whose values are shown. */
    chosen: typeof chosen === "number" && answer?.policies[chosen] !== undefined ? chosen : 0,
    near: page("near") !== false,
    problems: refused?.errors ?? NO_PROBLEMS,
    refusal: refused?.errors.length === 0 ? refused : undefined,
    stale: data === undefined || isPlaceholderData,
    offline: [error, catalog.error].some((one) => one instanceof Unreachable),
  };
}

export type SharingBench = ReturnType<typeof useSharing>;
