import { queryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";

export type ControlsAnswer = Schema<"ControlsDocument">;
export type ControlInfo = Schema<"ControlDocument">;
export type ControlsJob = Schema<"ControlsJobDocument">;
/** What is asked. flows: none for the usual numbers. */
export type ControlsBody = {
  scenario: JsonObject;
  require: string[];
  engines: string[];
  controls: string[];
  flows: string | number[] | null;
};

const bodyOf = (body: ControlsBody) => ({ ...body, mixtures: false });

/** The API answers at once or names a job, by engine. */
function atOnce(found: ControlsAnswer | ControlsJob): ControlsAnswer {
  if ("status" in found) throw new Error("this engine answers in the background");
  return found;
}

function inBackground(found: ControlsAnswer | ControlsJob): ControlsJob {
  if (!("status" in found)) throw new Error("this engine answers at once");
  return found;
}

/** The congestion controls that can be compared, and mixtures of two. */
export const controlListQuery = queryOptions({
  queryKey: ["controls", "list"],
  queryFn: async () => answer(client.GET("/api/v1/controls")),
  staleTime: Infinity,
  retry,
});

/** The smallest buffers by an engine that answers at once. */
export const controlsQuery = (body: ControlsBody | undefined) =>
  queryOptions({
    queryKey: ["controls", "at once", body],
    queryFn: async ({ signal }) => {
      if (body === undefined) throw new Error("nothing is asked");
      return atOnce(await answer(client.POST("/api/v1/controls", { body: bodyOf(body), signal })));
    },
    enabled: body !== undefined,
    staleTime: Infinity,
    retry,
  });

/** What simulations are expected to take [s]. */
export const controlsCostQuery = (body: ControlsBody | undefined) =>
  queryOptions({
    queryKey: ["controls", "cost", body],
    queryFn: async ({ signal }) => {
      if (body === undefined) throw new Error("nothing is asked");
      return (await answer(client.POST("/api/v1/controls/cost", { body: bodyOf(body), signal }))).seconds;
    },
    enabled: body !== undefined,
    staleTime: Infinity,
    retry,
  });

/** Starts simulations, which the server runs once for equal questions. */
export const startControls = async (body: ControlsBody): Promise<ControlsJob> =>
  inBackground(await answer(client.POST("/api/v1/controls", { body: bodyOf(body) })));

/** Time between two requests for the progress of simulations [ms]. */
const LOOK = 700;

export const isUnderWay = (job: ControlsJob | undefined) =>
  job !== undefined && (job.status === "queued" || job.status === "running");

/** The state of simulations, requested again while they run. */
export const controlsJobQuery = (id: string) =>
  queryOptions({
    queryKey: ["controls", "job", id],
    queryFn: async ({ signal }) =>
      await answer(client.GET("/api/v1/controls/{comparison}", { params: { path: { comparison: id } }, signal })),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK : false),
    retry,
  });

export async function cancelControls(id: string): Promise<void> {
  await answer(client.DELETE("/api/v1/controls/{comparison}/run", { params: { path: { comparison: id } } }));
}
