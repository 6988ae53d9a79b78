import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { ask, retry } from "@/api/client";
import { ApiProblem } from "@/api/problem";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type PoolAnswer = Schema<"PoolDocument">;
export type PoolLine = Schema<"PoolLine">;

/** A configuration that does not fit is refused with the whole answer; here that is an answer like any other. */
export const poolQuery = (question: JsonObject | undefined) =>
  queryOptions({
    queryKey: ["pool", question],
    queryFn: async ({ signal }): Promise<PoolAnswer> => {
      if (question === undefined) throw new Error("there is no pool to ask about");
      try {
        return await ask("/api/v1/pool", question, signal);
      } catch (error) {
        if (error instanceof ApiProblem && error.answer) return error.answer;
        throw error;
      }
    },
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
