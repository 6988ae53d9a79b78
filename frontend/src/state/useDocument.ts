import { useCallback } from "react";

import { documentCodec } from "@/lib/document";
import { setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { useAddress, type Codec, type Step } from "@/state/useAddress";

export type ChangeDocument = (path: string, value: Json | undefined, step?: Step) => void;

/** A view's document in the address bar, and what replaces the value at a path of it; undefined lets the default hold. */
export function useDocument(codec: Codec<JsonObject> = documentCodec): [JsonObject, ChangeDocument] {
  const [document, set] = useAddress(codec);
  const change: ChangeDocument = useCallback(
    (path, value, step) => {
      set((before) => (value === undefined ? withoutPath(before, path) : (setPath(before, path, value) as JsonObject)), step);
    },
    [set],
  );
  return [document, change];
}
