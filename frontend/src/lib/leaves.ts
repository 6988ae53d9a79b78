/** A document in a query string, one entry per leaf: `topology.rtt=40+ms&traffic.0.flows=100`. */
import { flatten, getPath, isObject, setPath, unflatten, type Json, type JsonObject } from "@/lib/path";

/** Sets every leaf of the document under its path; an object without leaves leaves nothing. */
export function writeLeaves(query: URLSearchParams, document: JsonObject, prefix = ""): void {
  for (const [path, value] of flatten(document)) if (path !== "") query.set(prefix + path, encodeLeaf(value));
}

/** The document of the leaves; undefined when there are none. */
export function readLeaves(leaves: Iterable<[string, string]>): JsonObject | undefined {
  const read = [...leaves].map(([key, value]): [string, Json] => [key, decodeLeaf(value)]);
  if (read.length === 0) return undefined;
  const document = unflatten(read);
  return isObject(document) ? document : undefined;
}

/** Text as it is, unless it would be read back as something else. */
export function encodeLeaf(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return typeof decodeLeaf(value) === "string" && !value.startsWith('"') ? value : JSON.stringify(value);
}

/** A JSON literal where the text is one, else the text itself. */
export function decodeLeaf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Reads a change of one field, `topology.rtt:40ms`; null when it is anything else. */
export function readSet(text: string): [string, Json] | null {
  const match = /^([a-z0-9_]+(?:\.[a-z0-9_]+)*):(.+)$/i.exec(text.trim());
  return match?.[1] === undefined || match[2] === undefined ? null : [match[1], decodeLeaf(match[2])];
}

/** How such a change is written. */
export const SET_EXAMPLE = "such as topology.rtt:40ms";

/** The document with such changes made. Another kind of a part comes without the parameters of the one before. */
export const withChanges = (document: JsonObject, changes: readonly [string, Json][]): JsonObject =>
  changes.reduce<JsonObject>((before, [path, value]) => {
    const part = path.endsWith(".kind") ? path.slice(0, -".kind".length) : undefined;
    const other = part !== undefined && getPath(before, path) !== value;
    return setPath(other ? setPath(before, part, {}) : before, path, value) as JsonObject;
  }, document);
