import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { Tier } from "@/views/papers/lib/papers";

export type PaperSummary = Schema<"PaperSummary">;
export type Paper = Schema<"PaperDocument">;
export type PaperRun = Schema<"PaperRunDocument">;
/** One scenario of a paper, with the targets that it decides. */
export type PaperCase = Schema<"PaperCase">;

export const papersQuery = queryOptions({
  queryKey: ["papers"],
  queryFn: async () => (await answer(client.GET("/api/v1/papers"))).papers,
  retry,
});

/** How far each engine is from packets, as it came with the version. */
export const engineErrorsQuery = queryOptions({
  queryKey: ["engines", "errors"],
  queryFn: async () => await answer(client.GET("/api/v1/engines/errors")),
  staleTime: Infinity,
  retry,
});

export const paperQuery = (paper: string | undefined) =>
  queryOptions({
    queryKey: ["papers", paper],
    queryFn: async ({ signal }) =>
      await answer(client.GET("/api/v1/papers/{paper}", { params: { path: { paper: paper ?? "" } }, signal })),
    enabled: paper !== undefined,
    retry,
  });

/** Every scenario of a paper at one size. */
export const paperCasesQuery = (paper: string | undefined, tier: Tier) =>
  queryOptions({
    queryKey: ["papers", paper, "cases", tier],
    queryFn: async ({ signal }) =>
      (
        await answer(
          client.GET("/api/v1/papers/{paper}/cases/{tier}", { params: { path: { paper: paper ?? "", tier } }, signal }),
        )
      ).cases,
    enabled: paper !== undefined,
    staleTime: Infinity,
    retry,
  });

export const isUnderWay = (run: PaperRun | undefined) => run?.status === "queued" || run?.status === "running";

/** A run as it stands, looked at again and again while it is under way. */
export const paperRunQuery = (paper: string | undefined, tier: Tier) =>
  queryOptions({
    queryKey: ["papers", paper, "run", tier],
    queryFn: async ({ signal }) =>
      await answer(
        client.GET("/api/v1/papers/{paper}/runs/{tier}", { params: { path: { paper: paper ?? "", tier } }, signal }),
      ),
    enabled: paper !== undefined,
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? 1000 : false),
    retry,
  });

export const runPaper = async (paper: string, tier: Tier): Promise<PaperRun> =>
  await answer(client.POST("/api/v1/papers/{paper}/run", { params: { path: { paper }, query: { tier } } }));

export const cancelPaper = async (paper: string, tier: Tier): Promise<PaperRun> =>
  await answer(client.DELETE("/api/v1/papers/{paper}/runs/{tier}", { params: { path: { paper, tier } } }));
