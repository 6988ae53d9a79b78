import { useMatch, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

import { queryOf } from "@/state/router";

/** How a view's state is written into the address bar and read back. */
export type Codec<T> = { decode: (query: string) => T; encode: (state: T) => string };

/** With `push`, the browser's Back undoes the change. */
export type Step = "push" | "replace";

/** The state of a view, which lives in the address bar and nowhere else. */
export function useAddress<T>({ decode, encode }: Codec<T>): [T, (next: (before: T) => T, step?: Step) => void] {
  const select = (search: unknown) => decode(queryOf(search));
  // What did not change keeps its identity, so that a change redraws no more than it has to.
  const state = useSearch({ strict: false, structuralSharing: true, select: select as never }) as T;
  const navigate = useNavigate();
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const change = useCallback(
    (next: (before: T) => T, step: Step = "replace") => {
      // What comes in after the view was left, as a started run does, must not be written into the next view's address.
      if (router.latestLocation.pathname !== own) return;
      const search = (previous: unknown) => ({ query: encode(next(decode(queryOf(previous)))) });
      void navigate({ to: ".", search, replace: step === "replace", resetScroll: false });
    },
    [navigate, router, own, decode, encode],
  );
  return [state, change];
}
