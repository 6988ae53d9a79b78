import { createRootRoute, createRouter, type RouteComponent } from "@tanstack/react-router";

import { decodeView, encodeView } from "@/lib/permalink";
import type { View } from "@/lib/view";

/** One page; its query string is the view. */
export function makeRouter(page: RouteComponent) {
  return createRouter({
    routeTree: createRootRoute({ component: page, notFoundComponent: page }),
    parseSearch: (text) => decodeView(text) as unknown as Record<string, unknown>,
    stringifySearch: (search) => {
      const text = encodeView(search as unknown as View);
      return text === "" ? "" : `?${text}`;
    },
  });
}
