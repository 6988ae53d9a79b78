import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import { failureOf, type ApiProblem } from "@/api/problem";
import type { Unsupported } from "@/api/queries";
import type { Schema } from "@/contract";
import type { JsonObject } from "@/lib/path";
import type { Point } from "@/lib/points";

export type StudyRequest = {
  scenario: JsonObject;
  over: Record<string, string | number[]>;
  engines: string[];
  replicas: number;
  scale?: number;
};
export type StudyStatus = Schema<"StudyDocument">["status"];

export type StudyEvents = {
  status: (status: StudyStatus, error: ApiProblem | undefined) => void;
  progress: (fraction: number, secondsLeft: number | undefined) => void;
  point: (point: Point) => void;
  /** An engine cannot answer one point; the others go on. */
  unsupported: (refusal: Unsupported) => void;
  /** The stream ended for good: with the study, or because the server has no such study. */
  end: () => void;
  /** The connection broke; the browser keeps trying. */
  broken: () => void;
};

export async function startStudy(body: StudyRequest): Promise<string> {
  return (await answer(client.POST("/api/v1/studies", { body }))).id;
}

/** What a study is expected to take, before it is started [s]. */
export const costQuery = (body: StudyRequest | undefined) =>
  queryOptions({
    queryKey: ["cost", body],
    queryFn: async ({ signal }) => {
      if (body === undefined) throw new Error("there is no study yet");
      return (await answer(client.POST("/api/v1/studies/cost", { body, signal }))).seconds;
    },
    enabled: body !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    retry,
  });

/** Starts a study and returns its id. The server keeps the answers of a study: asking again costs nothing. */
export const studyQuery = (body: StudyRequest | undefined) =>
  queryOptions({
    queryKey: ["study", body],
    queryFn: async () => {
      if (body === undefined) throw new Error("there is no study yet");
      return startStudy(body);
    },
    enabled: body !== undefined,
    staleTime: Infinity,
    retry,
  });

/** No page follows a study that the server has no more: each asks its question again. */
export const forgetStudy = (queries: QueryClient, study: string) => {
  queries.removeQueries({ queryKey: ["study"], predicate: ({ state }) => state.data === study });
};

export async function cancelStudy(study: string): Promise<void> {
  await answer(client.DELETE("/api/v1/studies/{study}/run", { params: { path: { study } } }));
}

/** Cancels a study that nobody waits for any more: it would only delay the next one. Its finished runs stay stored. */
export const giveUp = (study: string) => {
  cancelStudy(study).catch(() => undefined);
};

/** What the stream of a study sends, by the name of the event. */
type Sent = {
  status: Pick<Schema<"StudyDocument">, "status" | "error">;
  progress: Pick<Schema<"StudyDocument">, "progress" | "seconds_left">;
  point: Point;
  unsupported: Unsupported;
  done: Pick<Schema<"StudyDocument">, "status" | "error">;
};

/** Streams a study: points that are finished come first. Returns what stops the stream. */
export function followStudy(study: string, events: StudyEvents): () => void {
  const source = new EventSource(`/api/v1/studies/${encodeURIComponent(study)}/events`);
  const on = <Name extends keyof Sent>(name: Name, take: (data: Sent[Name]) => void) => {
    source.addEventListener(name, (event) => {
      take(JSON.parse((event as MessageEvent<string>).data) as Sent[Name]);
    });
  };
  const status = ({ status: now, error }: Sent["status"]) => {
    events.status(now, failureOf(error));
  };
  on("status", status);
  on("progress", ({ progress, seconds_left: left }) => {
    events.progress(progress, left ?? undefined);
  });
  on("point", events.point);
  on("unsupported", events.unsupported);
  on("done", (data) => {
    source.close();
    status(data);
    events.end();
  });
  source.addEventListener("error", () => {
    // A refused connection is closed for good; a broken one is being tried again.
    if (source.readyState === EventSource.CLOSED) events.end();
    else events.broken();
  });
  return () => {
    source.close();
  };
}
