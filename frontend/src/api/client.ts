import createClient, { type MaybeOptionalInit } from "openapi-fetch";

import { ApiProblem, problemOf, Unreachable } from "@/api/problem";
import type { Paths } from "@/contract";
import type { JsonObject } from "@/lib/path";

type Content<R> = R extends { content: { "application/json": infer T } } ? T : never;
type Answer<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 202)]> : never;
type Method = "get" | "post" | "delete" | "patch";
type Having<M extends Method> = { [P in keyof Paths]: Paths[P] extends Record<M, object> ? P : never }[keyof Paths];
type Call<M extends Method> = <P extends Having<M>, Init extends MaybeOptionalInit<Paths[P], M & keyof Paths[P]>>(
  path: P,
  ...init: undefined extends Init ? [Init?] : [Init]
) => Promise<{ data?: Answer<Paths[P][M & keyof Paths[P]]>; error?: unknown; response: Response }>;

/** openapi-fetch 0.17 types a pair of numbers in an answer as a list; here it is what the API declares. */
type Client = { GET: Call<"get">; POST: Call<"post">; DELETE: Call<"delete">; PATCH: Call<"patch"> };

export const client: Client = createClient<Paths>({
  baseUrl: typeof window === "undefined" ? "" : window.location.origin,
  // Looked up at each call, so that tests can replace it.
  fetch: async (request: Request) => {
    try {
      return await globalThis.fetch(request);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Unreachable("the server does not answer");
    }
  },
}) as unknown as Client;

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

/** Ask a question with fields as typed: the API checks them, and says for each what is wrong. */
export const ask = <P extends Having<"post">>(path: P, fields: JsonObject, signal?: AbortSignal) => {
  type Asked = { data?: Answer<Paths[P]["post" & keyof Paths[P]]>; error?: unknown; response: Response };
  const post = client.POST as (path: P, init: { body: JsonObject; signal?: AbortSignal }) => Promise<Asked>;
  return answer(post(path, signal === undefined ? { body: fields } : { body: fields, signal }));
};

/** Tries on a server that is busy, or compiles after an update: about a minute. */
const BUSY = 6;

/** Refusals are final; only a server that does not answer, or is busy, is asked again. */
export const retry = (count: number, error: Error): boolean =>
  error instanceof ApiProblem ? error.status === 503 && count < BUSY : count < 2;
