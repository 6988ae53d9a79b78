import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { ask, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type VoqAnswer = Schema<"VoqDocument">;

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const voqQuery = (question: JsonObject) =>
  queryOptions({
    queryKey: ["voq", question],
    queryFn: async ({ signal }) => ask("/api/v1/voq", question, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
