import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type VoqAnswer = Schema<"VoqDocument">;

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const voqQuery = (question: JsonObject) =>
  queryOptions({
    queryKey: ["voq", question],
    queryFn: async ({ signal }) =>
      answer(client.POST("/api/v1/voq", { body: question as Schema<"VoqQuestion">, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
