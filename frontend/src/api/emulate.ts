import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Emulation } from "@/lib/emulation";
import type { JsonObject } from "@/lib/path";

/** The fields are the API's to check: what is wrong with them comes back beside each. */
export const emulateQuery = (question: JsonObject | undefined) =>
  queryOptions({
    queryKey: ["emulate", question],
    queryFn: async ({ signal }): Promise<Emulation> =>
      (await answer(client.POST("/api/v1/emulate", { body: (question ?? {}) as never, signal }))) satisfies Emulation,
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });
