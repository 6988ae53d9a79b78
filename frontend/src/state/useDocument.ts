import { useCallback } from "react";

import { documentCodec } from "@/lib/document";
import { setPath, type Json, type JsonObject } from "@/lib/path";
import { useAddress } from "@/state/useAddress";

/** A view's document in the address bar, and what replaces the value at a path of it; undefined lets the default hold. */
export function useDocument(): [JsonObject, (path: string, value: Json | undefined) => void] {
  const [document, set] = useAddress(documentCodec);
  const change = useCallback(
    (path: string, value: Json | undefined) => {
      set((before) => setPath(before, path, value) as JsonObject);
    },
    [set],
  );
  return [document, change];
}
