import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { JsonObject } from "@/lib/path";
import type { Scaling } from "@/lib/scaling";

/** What scaling keeps of a scenario, before anything is run; nothing is asked without a factor. */
export const scaleQuery = (scenario: JsonObject | undefined, scale: number | undefined) =>
  queryOptions({
    queryKey: ["scale", scenario, scale],
    queryFn: async ({ signal }) =>
      (await answer(client.POST("/api/v1/scale", { body: { scenario: scenario ?? {}, scale: scale ?? 1 }, signal })))
        .scaling satisfies Scaling,
    enabled: scenario !== undefined && scale !== undefined,
    staleTime: Infinity,
    retry,
  });
