import { createRootRoute, createRoute, createRouter, redirect, type RouteComponent } from "@tanstack/react-router";

import { pathOf, VIEWS, type ViewId } from "@/lib/views";

/** The search of every address: its text as it stands. What it means is the view's own business. */
export type Search = { query: string };

export const queryOf = (search: unknown): string => (search as Partial<Search>).query ?? "";

type Parts = {
  shell: RouteComponent;
  viewOf: (id: ViewId | "question") => RouteComponent;
  missing: RouteComponent;
  broken: RouteComponent;
};

/** One address per view and one per question; the rest of the state is in the query string. */
export function makeRouter({ shell, viewOf, missing, broken }: Parts) {
  const root = createRootRoute({ component: shell, notFoundComponent: missing });
  const routes = VIEWS.map(({ id, path }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: viewOf(id),
      ...(id === "questions" ? { beforeLoad: forward } : {}),
    }),
  );
  const question = createRoute({
    getParentRoute: () => root,
    path: "/questions/$question",
    component: viewOf("question"),
  });
  return createRouter({
    routeTree: root.addChildren([...routes, question]),
    parseSearch: (text): Search => ({ query: text.replace(/^\?/, "") }),
    stringifySearch: (search) => (queryOf(search) === "" ? "" : `?${queryOf(search)}`),
    defaultErrorComponent: broken,
    defaultPreload: "intent",
  });
}

/** Links from before there were views carry a scenario to the address that is now the start page's. */
function forward({ search }: { search: unknown }) {
  if (queryOf(search) === "") return;
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told to go elsewhere
  throw redirect({ to: pathOf("buffer"), search: { query: queryOf(search) }, replace: true });
}
