import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

import { patched, type Patch, type View } from "@/lib/view";

export type ChangeView = (patch: Patch | ((view: View) => Patch), step?: "push" | "replace") => void;

/** The view in the address bar. `push` makes a change one that the browser's Back undoes. */
export function useView(): [View, ChangeView] {
  const view = useSearch({ strict: false }) as unknown as View;
  const navigate = useNavigate();
  const change: ChangeView = useCallback(
    (patch, step = "replace") => {
      const search = (previous: unknown) => {
        const before = previous as View;
        return patched(before, typeof patch === "function" ? patch(before) : patch);
      };
      void navigate({ to: ".", search: search, replace: step === "replace", resetScroll: false });
    },
    [navigate],
  );
  return [view, change];
}
