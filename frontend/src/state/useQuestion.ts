import { useCallback, useMemo } from "react";

import { decodeLeaf, encodeLeaf } from "@/lib/leaves";
import { flatten, isObject, type Json, type JsonObject } from "@/lib/path";
import { useAddress, type Codec } from "@/state/useAddress";

/** What was changed of a question, dotted path to value, in the address bar. */
const codec: Codec<JsonObject> = {
  decode: (query) =>
    Object.fromEntries([...new URLSearchParams(query)].map(([path, text]) => [path, decodeLeaf(text)])),
  encode: (changed) =>
    new URLSearchParams(
      Object.entries(changed).map(([path, value]): [string, string] => [path, encodeLeaf(value)]),
    ).toString(),
};

/**
 * A question's own values with the changes of the address, and what changes one; undefined brings its own value back.
 */
export function useQuestion(own: JsonObject) {
  const [changed, set] = useAddress(codec);
  const values = useMemo(() => ({ ...own, ...changed }), [own, changed]);
  const change = useCallback(
    (path: string, value: Json | undefined) => {
      set((before) => {
        const rest = Object.entries(before).filter(([name]) => name !== path && !name.startsWith(`${path}.`));
        if (value === undefined) return Object.fromEntries(rest);
        const leaves = isObject(value)
          ? flatten(value).map(([name, leaf]): [string, Json] => [`${path}.${name}`, leaf])
          : [[path, value] as const];
        return Object.fromEntries([...rest, ...leaves]);
      });
    },
    [set],
  );
  const reset = useCallback(() => {
    set(() => ({}), "push");
  }, [set]);
  return { values, changed, change, reset };
}
