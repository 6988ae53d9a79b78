import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { components } from "@/contract/schema.gen";

export type Question = components["schemas"]["QuestionDocument"];

export const questionsQuery = queryOptions({
  queryKey: ["questions"],
  queryFn: async () => (await answer(client.GET("/api/v1/questions"))).questions,
  staleTime: Infinity,
  retry,
});
