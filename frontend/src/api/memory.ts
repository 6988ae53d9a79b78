import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { SwitchMemory } from "@/lib/memory";
import type { JsonObject } from "@/lib/path";

/** How the switches of a scenario divide their memory; nothing is asked without a scenario. */
export const memoryQuery = (scenario: JsonObject | undefined) =>
  queryOptions({
    queryKey: ["memory", scenario],
    queryFn: async ({ signal }): Promise<SwitchMemory[]> =>
      (await answer(client.POST("/api/v1/memory", { body: { scenario: scenario ?? {} }, signal }))).memories,
    enabled: scenario !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
