/** A plain document as the whole state of a view: every leaf is an entry of the query string. */
import { readLeaves, writeLeaves } from "@/lib/leaves";
import { canonical, type JsonObject } from "@/lib/path";

/** `first`: what an empty query string stands for. */
export const documentCodecOf = (first: JsonObject) => ({
  decode: (query: string): JsonObject => readLeaves(new URLSearchParams(query)) ?? first,
  encode: (document: JsonObject): string => {
    if (canonical(document) === canonical(first)) return "";
    const query = new URLSearchParams();
    writeLeaves(query, document);
    return query.toString();
  },
});

export const documentCodec = documentCodecOf({});
