import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";

export type Question = Schema<"QuestionDocument">;

export const questionsQuery = queryOptions({
  queryKey: ["questions"],
  queryFn: async () => (await answer(client.GET("/api/v1/questions"))).questions,
  staleTime: Infinity,
  retry,
});
