/** A plain document as the whole state of a view: every leaf is an entry of the query string. */
import { readLeaves, writeLeaves } from "@/lib/leaves";
import type { JsonObject } from "@/lib/path";

export const documentCodec = {
  decode: (query: string): JsonObject => readLeaves(new URLSearchParams(query)) ?? {},
  encode: (document: JsonObject): string => {
    const query = new URLSearchParams();
    writeLeaves(query, document);
    return query.toString();
  },
};
