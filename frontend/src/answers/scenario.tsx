/** Questions about a preset's scenario: its fields as changed, and the form that changes them. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { DocumentInputs } from "@/answers/DocumentInputs";
import type { Change, PartProps } from "@/answers/types";
import { catalogQuery, presetQuery } from "@/api/queries";
import { Objectives } from "@/features/answer";
import { parseObjectives, formatObjective, type Objective } from "@/lib/objectives";
import { getPath, isObject, setPath, type Json, type JsonObject } from "@/lib/path";

const OWN = new Set(["preset", "need", "engines", "over", "page", "flows", "mixtures"]);

/** The preset's scenario with the fields of the question; undefined until the preset is there. */
export function useScenario(values: JsonObject) {
  const preset = typeof values.preset === "string" ? values.preset : "";
  const { data, error } = useQuery(presetQuery(preset));
  const scenario = useMemo(() => {
    const changed = Object.entries(values).filter(
      ([path]) => !OWN.has(path.split(".")[0] ?? path) && !path.startsWith("a."),
    );
    return data === undefined
      ? undefined
      : changed.reduce<JsonObject>(
          (document, [path, value]) => setPath(document, path, value) as JsonObject,
          data.scenario,
        );
  }, [data, values]);
  return { scenario, error };
}

export function objectivesOf({ need }: JsonObject): Objective[] {
  return typeof need === "string" ? parseObjectives(need) : [];
}

export const needOf = (objectives: Objective[]) => objectives.map(formatObjective);

type Part = { title: string; path: string; axis: string; names: readonly string[] };

/** Fields of the question's own, beside those of the scenario. */
type Extra = { title: string; schema: JsonObject };

type Offered = { parts: Part[]; extra?: Extra; targets?: boolean };

/** Some fields of the scenario's parts, by the schema of their kind. */
export const scenarioInputs = ({ parts, extra, targets = false }: Offered) =>
  function ScenarioInputs({ values, change }: PartProps) {
    const { data: catalog } = useQuery(catalogQuery);
    const { scenario } = useScenario(values);
    const groups = parts.flatMap(({ title, path, axis, names }) => {
      const value = scenario === undefined ? undefined : getPath(scenario, path);
      if (!isObject(value)) return [];
      const schema = catalog?.axes
        .find((one) => one.axis === axis)
        ?.kinds.find(({ kind }) => kind === value.kind)?.schema;
      return schema === undefined ? [] : [{ title, names, schema: schema, path, value }];
    });
    const own = Object.fromEntries(
      Object.entries(values).flatMap(([path, value]): [string, Json][] =>
        path.startsWith("page.") ? [[path.slice(5), value]] : [],
      ),
    );
    return (
      <>
        {targets && catalog !== undefined && <Targets values={values} change={change} metrics={catalog.metrics} />}
        <DocumentInputs
          root={catalog?.scenario ?? {}}
          problems={[]}
          change={change}
          groups={[
            ...(extra === undefined
              ? []
              : [
                  {
                    ...extra,
                    names: Object.keys(isObject(extra.schema.properties) ? extra.schema.properties : {}),
                    path: "page",
                    value: own,
                  },
                ]),
            ...groups,
          ]}
        />
      </>
    );
  };

function Targets({
  values,
  change,
  metrics,
}: {
  values: JsonObject;
  change: Change;
  metrics: Record<string, { unit: string; meaning: string }>;
}) {
  return (
    <Objectives
      objectives={objectivesOf(values)}
      metrics={metrics}
      third=""
      onChange={(objectives) => {
        if (objectives.length > 0) change("need", needOf(objectives).join(","));
      }}
    />
  );
}
