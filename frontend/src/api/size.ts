import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { JsonObject } from "@/lib/path";

/** The smallest buffer that meets requirements, by an engine that answers at once. */
export const sizeQuery = (scenario: JsonObject | undefined, require: string[], engine: string) =>
  queryOptions({
    queryKey: ["size", scenario, require, engine],
    queryFn: async ({ signal }) =>
      answer(client.POST("/api/v1/size", { body: { scenario: scenario ?? {}, require, engine, path: "switch.buffer", tolerance: 0.02 }, signal })),
    enabled: scenario !== undefined,
    staleTime: Infinity,
    retry,
  });
