/** The catalogue's axes, and what a component starts with when its kind is picked. */
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldsOf, type Field } from "@/lib/schema";

export type Kind = {
  kind: string;
  title: string;
  summary: string;
  sources: string[];
  holds: string;
  departures: string;
  schema: JsonObject;
};

export type Axis = { axis: string; title: string; kinds: Kind[]; planned: string[] };

/** The kind a value has; a size distribution may also be given by its name alone. */
export function kindOf(value: Json | undefined, axis: Axis): string | undefined {
  if (isObject(value) && typeof value.kind === "string") return value.kind;
  if (typeof value === "string") return "empirical";
  return value === undefined ? axis.kinds[0]?.kind : undefined;
}

/** A fresh component of one kind: an example if there is one, plus what both kinds call by one name, and what is required. */
export function fresh(kind: Kind, axes: ReadonlySet<string>, previous: Json | undefined, example: JsonObject | undefined): JsonObject {
  if (example !== undefined) return { ...example };
  const made: JsonObject = { kind: kind.kind };
  for (const field of fieldsOf(kind.schema, kind.schema, axes)) {
    const carried = isObject(previous) ? previous[field.name] : undefined;
    if (carried !== undefined) made[field.name] = carried;
    else if (field.required) {
      const start = startOf(field);
      if (start !== undefined) made[field.name] = start;
    }
  }
  return made;
}

/** A value inside the bounds of a required number; other required fields are left for the person to fill. */
function startOf({ type, bounds }: Field): Json | undefined {
  const { gt, ge, lt, le } = bounds;
  if (type === "integer") return ge ?? (gt === undefined ? undefined : gt + 1);
  const [low, high] = [gt ?? ge, lt ?? le];
  return type === "number" && low !== undefined && high !== undefined ? (low + high) / 2 : undefined;
}

/** The first component of this axis and kind in any of the documents (presets, say). */
export function exampleOf(documents: JsonObject[], axis: string, kind: string): JsonObject | undefined {
  for (const document of documents) {
    const found = search(document, axis, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function search(node: Json, axis: string, kind: string): JsonObject | undefined {
  const children: [string, Json][] = Array.isArray(node)
    ? node.map((item): [string, Json] => ["", item])
    : isObject(node)
      ? Object.entries(node)
      : [];
  for (const [key, child] of children) {
    const candidates = key !== axis ? [] : Array.isArray(child) ? child : [child];
    const hit = candidates.find((item) => isObject(item) && item.kind === kind);
    if (isObject(hit)) return hit;
    const deeper = search(child, axis, kind);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
