import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type Alternatives = Schema<"AlternativesDocument">;
export type Alternative = Schema<"AlternativeDocument">;
export type WhatIf = Schema<"WhatIfDocument">;
export type Difference = Schema<"DifferenceDocument">;

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
      return await answer(client.POST("/api/v1/what-if", { body: { a, b }, signal }));
    },
    enabled: a !== undefined && b !== undefined,
    staleTime: Infinity,
    retry,
  });
