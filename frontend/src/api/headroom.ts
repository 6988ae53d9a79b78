import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { components } from "@/contract/schema.gen";
import type { JsonObject } from "@/lib/path";

type Schemas = components["schemas"];
export type HeadroomAnswer = Schemas["HeadroomDocument"];
export type SchemeAnswer = Schemas["SchemeDocument"];
export type HeadroomLine = Schemas["HeadroomLine"];
export type ShippedTable = Schemas["ShippedTable"];
export type WatermarkScheme = Schemas["WatermarkScheme"];
export type Asic = Schemas["AsicDocument"];

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const headroomQuery = (question: JsonObject) =>
  queryOptions({
    queryKey: ["headroom", question],
    queryFn: async ({ signal }) =>
      (await answer(
        client.POST("/api/v1/headroom", { body: question as unknown as Schemas["HeadroomQuestion"], signal }),
      )) as HeadroomAnswer,
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
