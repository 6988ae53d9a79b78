import { infiniteQueryOptions } from "@tanstack/react-query";

import { answer, client, retry } from "@/api/client";
import { problemOf } from "@/api/problem";
import type { components } from "@/contract/schema.gen";

export type Study = components["schemas"]["StudyDocument"];
export type Status = Study["status"];
export const STATUSES: readonly Status[] = ["queued", "running", "done", "cancelled", "failed"];

/** Search terms; empty for everything. */
export type Sought = { search: string; status: string; tag: string };

export const ended = ({ status }: Study) => status === "done" || status === "cancelled" || status === "failed";

/** Stored studies, newest first, a page at a time; looked at again while one of them is under way. */
export const storedQuery = ({ search, status, tag }: Sought) =>
  infiniteQueryOptions({
    queryKey: ["stored", search, status, tag],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        search,
        ...(STATUSES.some((one) => one === status) ? { status: status as Status } : {}),
        ...(tag === "" ? {} : { tag }),
        ...(pageParam === "" ? {} : { cursor: pageParam }),
      };
      return answer(client.GET("/api/v1/studies", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.studies.some((study) => !ended(study))) ? 2000 : false,
    retry,
  });

const at = (study: string) => ({ params: { path: { study } } });

export const label = (study: string, body: { name?: string; tags?: string[] }) =>
  answer(client.PATCH("/api/v1/studies/{study}", { ...at(study), body }));

export const rerun = (study: string) => answer(client.POST("/api/v1/studies/{study}/run", at(study)));

export const cancel = (study: string) => answer(client.DELETE("/api/v1/studies/{study}/run", at(study)));

export async function remove(study: string): Promise<void> {
  const { error, response } = await client.DELETE("/api/v1/studies/{study}", at(study));
  if (!response.ok) throw problemOf(response.status, error);
}

/** Where the file of a study is. */
export const fileOf = (study: string) => `/api/v1/studies/${encodeURIComponent(study)}/file`;

export const take = (file: File) =>
  answer(
    client.POST("/api/v1/studies/file", {
      body: file as unknown as string,
      bodySerializer: () => file,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  );
