import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { presetQuery } from "@/api/queries";
import { decodeView, encodeView } from "@/lib/permalink";
import { patched, withSet, type Patch, type View } from "@/lib/view";
import { useAddress, type Codec, type Step } from "@/state/useAddress";

export type ChangeView = (patch: Patch | ((view: View) => Patch), step?: Step) => void;

const codec: Codec<View> = { decode: decodeView, encode: encodeView };

/** The state of the buffer view. */
export function useView(): [View, ChangeView] {
  const [written, set] = useAddress(codec);
  const { data } = useQuery({ ...presetQuery(written.preset), enabled: written.set !== undefined });
  const start = written.set === undefined ? undefined : data?.scenario;
  const view = useMemo(() => withSet(written, start), [written, start]);
  const change: ChangeView = useCallback(
    (patch, step) => {
      set((address) => {
        const before = withSet(address, start);
        const next = typeof patch === "function" ? patch(before) : patch;
        // Another preset is not what the link was about.
        return patched(before, "preset" in next ? { set: undefined, ...next } : next);
      }, step);
    },
    [set, start],
  );
  return [view, change];
}
