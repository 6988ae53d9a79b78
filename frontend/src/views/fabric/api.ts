import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { components } from "@/contract/schema.gen";
import type { JsonObject } from "@/lib/path";

export type Alternatives = components["schemas"]["AlternativesDocument"];
export type Alternative = components["schemas"]["AlternativeDocument"];
export type WhatIf = components["schemas"]["WhatIfDocument"];
export type Difference = components["schemas"]["DifferenceDocument"];

/** Ready changes of a scenario, each with the study that runs it. */
export const alternativesQuery = (scenario: JsonObject | undefined, replicas: number) =>
  queryOptions({
    queryKey: ["alternatives", scenario, replicas],
    queryFn: async ({ signal }) => {
      if (scenario === undefined) throw new Error("there is no scenario yet");
      return answer(client.POST("/api/v1/what-if/alternatives", { body: { scenario, replicas }, signal }));
    },
    enabled: scenario !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

/** Two finished studies, compared seed by seed. */
export const whatIfQuery = (a: string | undefined, b: string | undefined) =>
  queryOptions({
    queryKey: ["what-if", a, b],
    queryFn: async ({ signal }) => {
      if (a === undefined || b === undefined) throw new Error("there are no studies yet");
      return (await answer(client.POST("/api/v1/what-if", { body: { a, b }, signal }))) as WhatIf;
    },
    enabled: a !== undefined && b !== undefined,
    staleTime: Infinity,
    retry,
  });
