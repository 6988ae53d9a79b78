/** A plain document as the whole state of a view: every leaf is an entry of the query string. */
import { readLeaves, readSet, SET_EXAMPLE, withChanges, writeLeaves } from "@/lib/leaves";
import { canonical, type JsonObject } from "@/lib/path";

const firstOf = (key: string) => key.split(".")[0] ?? key;

/**
 * `first`: what an empty query string stands for.  `known`: the document's fields, any where there is no list; others
 * are left out.  A link may also change single fields of what stands there: `?set=cable:40m`.
 */
export const documentCodecOf = (first: JsonObject, known?: readonly string[]) => ({
  decode: (query: string): JsonObject => {
    const entries = new URLSearchParams(query);
    const leaves = [...entries].filter(
      ([key]) => key !== "set" && (known === undefined || known.includes(firstOf(key))),
    );
    const changes = entries
      .getAll("set")
      .map(readSet)
      .filter((one) => one !== null && (known === undefined || known.includes(firstOf(one[0])))) as [
      string,
      JsonObject,
    ][];
    return withChanges(readLeaves(leaves) ?? first, changes);
  },
  encode: (document: JsonObject): string => {
    if (canonical(document) === canonical(first)) return "";
    const query = new URLSearchParams();
    writeLeaves(query, document);
    return query.toString();
  },
});

/** Fields that choose what a view shows, each with the words it takes, or undefined where it takes others. */
export type Choices = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * What a link says that a view with these fields cannot use. choices: all fields below `page`, `page.mode` for one, and
 * others that take certain words only.
 */
export function ignoredFields(query: string, known: readonly string[], choices: Choices = {}): string[] {
  const entries = new URLSearchParams(query);
  const paged = Object.keys(choices).some((key) => key.startsWith("page."));
  const unchosen = [...entries].flatMap(([key, value]) => {
    const words = choices[key];
    if (words !== undefined) return words.includes(value) ? [] : [`${key}=${value} (one of ${words.join(", ")})`];
    return paged && firstOf(key) === "page" && !(key in choices) ? [`${key} (no such field)`] : [];
  });
  const unknown = [...new Set([...entries.keys()].map(firstOf))]
    .filter((key) => key !== "set" && !known.includes(key))
    .map((key) => `${key} (no such field)`);
  const unread = entries.getAll("set").flatMap((text) => {
    const change = readSet(text);
    if (change === null) return [`set=${text} (${SET_EXAMPLE})`];
    return known.includes(firstOf(change[0])) ? [] : [`set=${text} (no such field)`];
  });
  return [...unknown, ...unchosen, ...unread];
}

export const documentCodec = documentCodecOf({});
