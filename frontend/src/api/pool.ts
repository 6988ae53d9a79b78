import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type PoolAnswer = Schema<"PoolDocument">;
export type PoolLine = Schema<"PoolLine">;

/** A configuration that does not fit is an answer like any other. */
export const poolQuery = (question: JsonObject | undefined) =>
  queryOptions({
    queryKey: ["pool", question],
    queryFn: async ({ signal }): Promise<PoolAnswer> => {
      if (question === undefined) throw new Error("there is no pool to ask about");
      const body = question as never; // as typed: the API checks it
      return await answer(client.POST("/api/v1/pool", { params: { query: { refuse: false } }, body, signal }));
    },
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
