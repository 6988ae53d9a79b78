import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { MapAnswer } from "@/views/stability/lib/mapCells";
import type { JsonObject } from "@/lib/path";

/** What has no meaning is absent; also an empty list. */
export type StabilityAnswer = Omit<Schema<"StabilityDocument">, "published"> & {
  published?: Schema<"BesideDocument">[];
};
export type Trajectory = Schema<"Trajectory">;

const kept = { placeholderData: keepPreviousData, staleTime: Infinity, gcTime: 60_000, retry } as const;

/** The verdict on a scenario; with `course`, also the queue over time. */
export const stabilityQuery = (scenario: JsonObject | undefined, course = false) =>
  queryOptions({
    queryKey: ["stability", course, scenario],
    queryFn: async ({ signal }) => {
      if (scenario === undefined) throw new Error("there is no scenario yet");
      return await answer(
        client.POST("/api/v1/stability", { body: { scenario, trajectory: course, nyquist: false }, signal }),
      );
    },
    enabled: scenario !== undefined,
    ...kept,
  });

export type MapRequest = {
  scenario: JsonObject;
  x: { path: string; values: number[] };
  y: { path: string; values: number[] };
};

/** Some rows and columns of a map. */
export const mapQuery = (body: MapRequest) =>
  queryOptions({
    queryKey: ["stability-map", body],
    queryFn: async ({ signal }) =>
      (await answer(
        client.POST("/api/v1/stability/map", { body: { ...body, margins: false }, signal }),
      )) satisfies MapAnswer,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

/** Published curves of phase margins with what they were published for. */
export const publishedQuery = queryOptions({
  queryKey: ["stability-published"],
  queryFn: async () => (await answer(client.GET("/api/v1/stability/published"))).curves,
  staleTime: Infinity,
  retry,
});
