import type { Schema } from "@/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { JsonObject } from "@/lib/path";

export type Catalog = Schema<"Catalog">;

export type PresetSummary = Schema<"PresetSummary">;
export type Preset = Schema<"PresetDocument">;

export type Unsupported = Schema<"UnsupportedDocument">;
export type Estimates = Schema<"Estimates">;

// The generated types describe JSON schemas and scenarios as objects of unknown values; here they are JSON.
export const catalogQuery = queryOptions({
  queryKey: ["catalog"],
  queryFn: async () => await answer(client.GET("/api/v1/catalog")),
  staleTime: Infinity,
  retry,
});

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: async () => (await answer(client.GET("/api/v1/presets"))).presets,
  staleTime: Infinity,
  retry,
});

export const presetQuery = (preset: string) =>
  queryOptions({
    queryKey: ["preset", preset],
    queryFn: async () => await answer(client.GET("/api/v1/presets/{preset}", { params: { path: { preset } } })),
    staleTime: Infinity,
    retry,
  });

export type EstimateRequest = { scenario: JsonObject; over?: Record<string, string | number[]>; engines: string[] };

export const estimatesQuery = (request: EstimateRequest | undefined) =>
  queryOptions({
    queryKey: ["estimates", request],
    queryFn: async ({ signal }) => {
      if (request === undefined) throw new Error("there is no scenario yet");
      return await answer(client.POST("/api/v1/estimates", { body: request, signal }));
    },
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: () => answer(client.GET("/api/v1/health")),
  retry: false,
});
