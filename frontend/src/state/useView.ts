import { useCallback } from "react";

import { decodeView, encodeView } from "@/lib/permalink";
import { patched, type Patch, type View } from "@/lib/view";
import { useAddress, type Codec, type Step } from "@/state/useAddress";

export type ChangeView = (patch: Patch | ((view: View) => Patch), step?: Step) => void;

const codec: Codec<View> = { decode: decodeView, encode: encodeView };

/** The state of the buffer view. */
export function useView(): [View, ChangeView] {
  const [view, set] = useAddress(codec);
  const change: ChangeView = useCallback(
    (patch, step) => {
      set((before) => patched(before, typeof patch === "function" ? patch(before) : patch), step);
    },
    [set],
  );
  return [view, change];
}
