import createClient from "openapi-fetch";

import { ApiProblem, problemOf, Unreachable } from "@/api/problem";
import type { paths } from "@/contract/schema.gen";

export const client = createClient<paths>({
  baseUrl: typeof window === "undefined" ? "" : window.location.origin,
  // Looked up at each call, so that tests can stand in for it.
  fetch: async (request) => {
    try {
      return await globalThis.fetch(request);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Unreachable("the server does not answer");
    }
  },
});

/** The data of an answer. Throws ApiProblem when the API refused. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) {
    // A gateway that answers for a dead server speaks no JSON.
    if ([502, 503, 504].includes(response.status) && typeof error !== "object")
      throw new Unreachable("the server does not answer");
    throw problemOf(response.status, error);
  }
  return data;
}

/** A server that is busy, or compiles after an update, is asked again for about a minute [tries]. */
const BUSY = 6;

/** Refusals stay refusals; only a server that does not answer, or has no time yet, is asked again. */
export const retry = (count: number, error: Error): boolean =>
  error instanceof ApiProblem ? error.status === 503 && count < BUSY : count < 2;
