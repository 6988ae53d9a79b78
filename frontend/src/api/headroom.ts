import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, ask, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type HeadroomAnswer = Schema<"HeadroomDocument">;
export type SchemeAnswer = Schema<"SchemeDocument">;
export type HeadroomLine = Schema<"HeadroomLine">;
export type ShippedTable = Schema<"ShippedTable">;
export type WatermarkScheme = Schema<"WatermarkScheme">;
export type Asic = Schema<"AsicDocument">;

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const headroomQuery = (question: JsonObject) =>
  queryOptions({
    queryKey: ["headroom", question],
    queryFn: async ({ signal }) => await ask("/api/v1/headroom", question, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

export const asicsQuery = queryOptions({
  queryKey: ["asics"],
  queryFn: async () => (await answer(client.GET("/api/v1/asics"))).asics,
  staleTime: Infinity,
  retry,
});
