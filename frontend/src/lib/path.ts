/** Dotted paths into plain JSON, as the API and the command line write them: `traffic.0.congestion.kind`. */

import type { Json, JsonObject } from "@/contract";

export type { Json, JsonObject };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const steps = (path: string) => (path === "" ? [] : path.split("."));

export function getPath(document: Json | undefined, path: string): Json | undefined {
  let here: Json | undefined = document;
  for (const step of steps(path)) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isObject(here)) here = here[step];
    else return undefined;
  }
  return here;
}

/** A copy with the value at `path` replaced; `undefined` removes the key. Objects in between are made. */
export function setPath(document: Json | undefined, path: string, value: Json | undefined): Json {
  const [first, ...rest] = steps(path);
  if (first === undefined) return value ?? null;
  const child = rest.join(".");
  if (Array.isArray(document)) {
    const index = Number(first);
    if (value === undefined && child === "") return document.filter((_, i) => i !== index);
    const copy = [...document];
    copy[index] = child === "" ? (value ?? null) : setPath(document[index], child, value);
    return copy;
  }
  const here = isObject(document) ? document : {};
  if (child !== "") return { ...here, [first]: setPath(here[first], child, value) };
  if (value !== undefined) return { ...here, [first]: value };
  return Object.fromEntries(Object.entries(here).filter(([key]) => key !== first));
}

/** A copy without the value at `path`, and without the objects that thereby become empty. */
export function withoutPath(document: JsonObject, path: string): JsonObject {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  const rest = setPath(document, path, undefined) as JsonObject;
  const left = getPath(rest, parent);
  return parent !== "" && isObject(left) && Object.keys(left).length === 0 ? withoutPath(rest, parent) : rest;
}

/** Every leaf with its path; empty lists and objects are leaves. */
export function flatten(document: Json, prefix = ""): [string, Json][] {
  const entries = Array.isArray(document)
    ? document.map((item, i): [string, Json] => [String(i), item])
    : isObject(document)
      ? Object.entries(document)
      : [];
  if (entries.length === 0) return [[prefix, document]];
  return entries.flatMap(([key, value]) => flatten(value, prefix === "" ? key : `${prefix}.${key}`));
}

/** The inverse of `flatten`: a level whose keys are 0, 1, 2 … is a list. */
export function unflatten(leaves: [string, Json][]): Json {
  const direct = leaves.find(([path]) => path === "");
  if (direct !== undefined) return direct[1];
  const groups = new Map<string, [string, Json][]>();
  for (const [path, value] of leaves) {
    const [first = "", ...rest] = steps(path);
    groups.set(first, [...(groups.get(first) ?? []), [rest.join("."), value]]);
  }
  const keys = [...groups.keys()];
  const children = [...groups.values()].map(unflatten);
  if (keys.length > 0 && keys.every((key, i) => key === String(i))) return children;
  return Object.fromEntries(keys.map((key, i) => [key, children[i] ?? null]));
}

/** The same text for documents that differ only in the order of their keys. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, item: Json) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}
