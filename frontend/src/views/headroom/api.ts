import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, ask, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type Exported = Schema<"ExportDocument">;
export type Imported = Schema<"ImportDocument">;
export type Finding = Schema<"FindingDocument">;

/** Whose configuration can be made and read. */
export const targetsQuery = queryOptions({
  queryKey: ["export"],
  queryFn: async () => answer(client.GET("/api/v1/export")),
  staleTime: Infinity,
  retry,
});

// Every target and every source has an address of its own, all of one shape.
const exportPath = (target: string) => `/api/v1/export/${target}` as "/api/v1/export/sonic";
const importPath = (source: string) => `/api/v1/import/${source}` as "/api/v1/import/sonic";

export const exportQuery = (target: string | undefined, options: JsonObject | undefined) =>
  queryOptions({
    queryKey: ["export", target, options],
    queryFn: async ({ signal }) => ask(exportPath(target ?? ""), options ?? {}, signal),
    enabled: target !== undefined && options !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

export type Configuration = { config_db: JsonObject; pg_profile_lookup?: string };

export const importConfiguration = (source: string, body: Configuration & JsonObject): Promise<Imported> =>
  ask(importPath(source), body);
