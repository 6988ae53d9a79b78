/** Requests of the headroom and pool questions to the API, and the fields they offer. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { DocumentInputs } from "@/answers/DocumentInputs";
import { nested } from "@/answers/nested";
import type { PartProps } from "@/answers/types";
import { asicsQuery, headroomQuery } from "@/api/headroom";
import { poolQuery } from "@/api/pool";
import { ApiProblem } from "@/api/problem";
import { ChipPicker } from "@/features/headroom";
import { linkOf, poolOf, poolPath } from "@/lib/headroom";
import { getPath, isObject, type JsonObject } from "@/lib/path";
import { fieldsOf, withDefaults } from "@/lib/schema";
import { formRoot, linkSchema, poolSchema, schemeParameters } from "@/state/headroomForms";
import { useKept } from "@/state/useKept";

export const schemeOf = ({ "page.scheme": scheme }: JsonObject): string =>
  typeof scheme === "string" ? scheme : "vendor";

export function useLink(values: JsonObject) {
  const link = useMemo(() => linkOf(nested(values)), [values]);
  const { data, error, isPlaceholderData } = useQuery(headroomQuery(link));
  return { answer: useKept(data), error, stale: data === undefined || isPlaceholderData };
}

export const useStaleLink = (values: JsonObject) => useLink(values).stale;

export function usePool(values: JsonObject) {
  const { data: asics, error: unknown } = useQuery(asicsQuery);
  const question = useMemo(() => {
    const state = nested(values);
    const capacity = asics?.find(({ id }) => id === state.asic)?.capacity ?? undefined;
    return asics === undefined ? undefined : poolOf(state, "vendor", capacity, schemeParameters);
  }, [asics, values]);
  const { data, error, isPlaceholderData } = useQuery(poolQuery(question));
  const stale = question !== undefined && (data === undefined || isPlaceholderData);
  return { answer: useKept(data), question, error: error ?? unknown, stale };
}

export const useStalePool = (values: JsonObject) => usePool(values).stale;

type Offered = {
  link: readonly string[];
  pool?: readonly string[];
  /** Parts of the pool's question with fields of their own. */
  groups?: readonly string[];
};

const NONE: string[] = [];

/** The chip, some fields of the link and some of the pool. */
export const headroomInputs = ({ link, pool = NONE, groups = NONE }: Offered) =>
  function HeadroomInputs({ values, change }: PartProps) {
    const { data: asics } = useQuery(asicsQuery);
    const { error: linkError, answer } = useLink(values);
    const { error: poolError, question } = usePool(values);
    const state = nested(values);
    const problems = useMemo(() => {
      const own = linkError instanceof ApiProblem ? linkError.errors : [];
      const pooled =
        poolError instanceof ApiProblem
          ? poolError.errors.map((one) => ({ ...one, path: poolPath(one.path, nested(values)) }))
          : [];
      return [...own, ...pooled].filter(({ path }, i, all) => all.findIndex((other) => other.path === path) === i);
    }, [linkError, poolError, values]);
    const cell = answer?.inputs.cell_size;
    const linkFields = useMemo(
      () => (cell === undefined ? linkSchema : withDefaults(linkSchema, { cell_size: cell })),
      [cell],
    );
    const ports = question?.ports ?? "";
    const poolFields = useMemo(() => withDefaults(poolSchema, { ports }), [ports]);
    const own = fieldsOf(poolSchema, formRoot, new Set()).filter(({ name }) => groups.includes(name));
    const valueAt = (path: string) => {
      const found = getPath(state, path);
      return isObject(found) ? found : undefined;
    };
    return (
      <>
        <ChipPicker
          asics={asics ?? []}
          chosen={typeof state.asic === "string" ? state.asic : undefined}
          problem={problems.find(({ path }) => path === "asic")?.message}
          onPick={(asic) => {
            change("asic", asic);
          }}
        />
        <DocumentInputs
          root={formRoot}
          problems={problems}
          change={change}
          groups={[
            ...(link.length === 0
              ? []
              : [{ title: "Link", names: link, schema: linkFields, path: "", value: linkOf(state) }]),
            ...(pool.length === 0
              ? []
              : [{ title: "Ports and pool", names: pool, schema: poolFields, path: "pool", value: valueAt("pool") }]),
            ...own.map(({ name, label, schema }) => ({
              title: label,
              names: Object.keys(schema?.properties ?? {}),
              schema: schema ?? {},
              path: `pool.${name}`,
              value: valueAt(`pool.${name}`),
            })),
          ]}
        />
      </>
    );
  };
