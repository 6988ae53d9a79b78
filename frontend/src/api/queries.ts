import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Axis } from "@/lib/component";
import type { MetricInfo } from "@/lib/metrics";
import type { JsonObject } from "@/lib/path";
import type { Point } from "@/lib/points";

export type Catalog = {
  version: string;
  axes: Axis[];
  engines: { engine: string; title: string; [key: string]: unknown }[];
  metrics: Record<string, MetricInfo>;
  scenario: JsonObject;
};

export type PresetSummary = {
  id: string;
  title: string;
  question?: string;
  about?: string;
  source?: string;
  notes?: string[];
  heavy?: boolean;
  engines?: string[];
};
export type Preset = PresetSummary & { scenario: JsonObject; over?: JsonObject };

export type Unsupported = { engine: string; message: string; path: string; engines: string[] };
export type Estimates = { points: Point[]; unsupported: Unsupported[]; derived: unknown };

// The generated types describe JSON schemas and scenarios as objects of unknown values; here they are JSON.
export const catalogQuery = queryOptions({
  queryKey: ["catalog"],
  queryFn: async () => (await answer(client.GET("/api/v1/catalog"))) as unknown as Catalog,
  staleTime: Infinity,
  retry,
});

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: async () => (await answer(client.GET("/api/v1/presets"))).presets as PresetSummary[],
  staleTime: Infinity,
  retry,
});

export const presetQuery = (preset: string) =>
  queryOptions({
    queryKey: ["preset", preset],
    queryFn: async () =>
      (await answer(client.GET("/api/v1/presets/{preset}", { params: { path: { preset } } }))) as Preset,
    staleTime: Infinity,
    retry,
  });

export type EstimateRequest = { scenario: JsonObject; over?: Record<string, string | number[]>; engines: string[] };

export const estimatesQuery = (request: EstimateRequest | undefined) =>
  queryOptions({
    queryKey: ["estimates", request],
    queryFn: async ({ signal }) => {
      if (request === undefined) throw new Error("there is no scenario yet");
      return (await answer(client.POST("/api/v1/estimates", { body: request, signal }))) as unknown as Estimates;
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
