import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";

import type { ViewId } from "@/lib/views";

const loaders = import.meta.glob<{ View: RouteComponent }>("./*/index.tsx");

/** The component of a view: `View` of its folder, fetched when it is first gone to, so that none waits for another. */
export function viewOf(id: ViewId | "question"): RouteComponent {
  const load = loaders[`./${id}/index.tsx`];
  if (load === undefined) throw new Error(`src/views/${id}/index.tsx is missing`);
  return lazyRouteComponent(load, "View");
}
