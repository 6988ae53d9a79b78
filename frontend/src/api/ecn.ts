import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, ask, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type EcnAnswer = Schema<"EcnDocument">;
export type Judged = Schema<"JudgedDocument">;

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const ecnQuery = (question: JsonObject) =>
  queryOptions({
    queryKey: ["ecn", question],
    queryFn: async ({ signal }) => ask("/api/v1/ecn", question, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

/** The congestion controls that react to marks; the others have no thresholds to set. */
export const ecnControlsQuery = queryOptions({
  queryKey: ["ecn-controls"],
  queryFn: async () => (await answer(client.GET("/api/v1/ecn"))).congestion,
  staleTime: Infinity,
  retry,
});
