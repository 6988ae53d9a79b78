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

export type ChoiceRequest = { scenario: JsonObject; budget: number; metrics: string[] };

/** The engine that "auto" picks, and why; nothing is asked without a request. */
export const choiceQuery = (request: ChoiceRequest | undefined) =>
  queryOptions({
    queryKey: ["engines", "choice", request],
    queryFn: async ({ signal }) => {
      if (request === undefined) throw new Error("nothing is asked");
      return await answer(client.POST("/api/v1/engines/choice", { body: request, signal }));
    },
    enabled: request !== undefined,
    staleTime: Infinity,
    retry,
  });
