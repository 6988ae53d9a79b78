import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type SizeAnswer = Schema<"SizeDocument">;
export type SizeJob = Schema<"SizeJobDocument">;
export type SizeBody = { scenario: JsonObject; require: string[]; engine: string; path: string; tolerance: number };

const bodyOf = (scenario: JsonObject | undefined, require: string[], engine: string): SizeBody => ({
  scenario: scenario ?? {},
  require,
  engine,
  path: "switch.buffer",
  tolerance: 0.02,
});

/** The API answers at once or names a job, by engine. */
function atOnce(found: SizeAnswer | SizeJob): SizeAnswer {
  if ("status" in found) throw new Error("this engine answers in the background");
  return found;
}

function inBackground(found: SizeAnswer | SizeJob): SizeJob {
  if (!("status" in found)) throw new Error("this engine answers at once");
  return found;
}

/** The smallest buffer that meets requirements, by an engine that answers at once. */
export const sizeQuery = (scenario: JsonObject | undefined, require: string[], engine: string) =>
  queryOptions({
    queryKey: ["size", scenario, require, engine],
    queryFn: async ({ signal }) =>
      atOnce(await answer(client.POST("/api/v1/size", { body: bodyOf(scenario, require, engine), signal }))),
    enabled: scenario !== undefined,
    staleTime: Infinity,
    retry,
  });

/** What the search by packets is expected to take [s]; refused where packets cannot answer. */
export const sizeCostQuery = (scenario: JsonObject | undefined, require: string[]) =>
  queryOptions({
    queryKey: ["size", "cost", scenario, require],
    queryFn: async ({ signal }) =>
      (await answer(client.POST("/api/v1/size/cost", { body: bodyOf(scenario, require, "packet"), signal }))).seconds,
    enabled: scenario !== undefined && require.length > 0,
    staleTime: Infinity,
    retry,
  });

/** Starts the search by packets, which the server runs once for equal questions. */
export const startSize = async (scenario: JsonObject, require: string[]): Promise<SizeJob> =>
  inBackground(await answer(client.POST("/api/v1/size", { body: bodyOf(scenario, require, "packet") })));

/** Time between two requests for the progress of a search [ms]. */
const LOOK = 500;

export const isUnderWay = (job: SizeJob | undefined) =>
  job !== undefined && (job.status === "queued" || job.status === "running");

/** The state of a search by packets, requested again while it runs. */
export const sizeJobQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ["size", "job", id],
    queryFn: async ({ signal }) =>
      await answer(client.GET("/api/v1/size/{search}", { params: { path: { search: id ?? "" } }, signal })),
    enabled: id !== undefined,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK : false),
    retry,
  });

export async function cancelSize(id: string): Promise<void> {
  await answer(client.DELETE("/api/v1/size/{search}/run", { params: { path: { search: id } } }));
}
