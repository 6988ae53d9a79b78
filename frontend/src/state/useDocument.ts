import { useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

import { documentCodec, ignoredFields, type Choices } from "@/lib/document";
import { queryOf } from "@/state/router";
import { setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { useAddress, type Codec, type Step } from "@/state/useAddress";

/** Several changes at once: paths with their values. */
export type Changes = Record<string, Json | undefined>;
export type ChangeDocument = (path: string | Changes, value?: Json, step?: Step) => void;

/**
 * A view's document in the address bar, and what replaces the value at a path of it; undefined lets the default hold.
 */
export function useDocument(codec: Codec<JsonObject> = documentCodec): [JsonObject, ChangeDocument] {
  const [document, set] = useAddress(codec);
  const change: ChangeDocument = useCallback(
    (path, value, step) => {
      const changes = typeof path === "string" ? { [path]: value } : path;
      set((before) => Object.entries(changes).reduce(changed, before), step);
    },
    [set],
  );
  return [document, change];
}

function changed(document: JsonObject, [path, value]: [string, Json | undefined]): JsonObject {
  return value === undefined ? withoutPath(document, path) : (setPath(document, path, value) as JsonObject);
}

/** What the address says that a view with these fields cannot use. */
export function useIgnored(known: readonly string[], choices?: Choices): string[] {
  return ignoredFields(queryOf(useSearch({ strict: false }) as unknown), known, choices);
}
