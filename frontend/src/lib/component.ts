/** The catalogue's axes, and what a component starts with when its kind is picked. */
import type { Schema } from "@/contract";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { parseQuantity, type Unit } from "@/lib/quantity";
import { fieldsOf, outside, type Field } from "@/lib/schema";

export type Kind = Schema<"Kind">;

export type Axis = Schema<"Axis">;

/** The kind a value has; a size distribution may also be given by its name alone, or as a size. */
export function kindOf(value: Json | undefined, axis: Axis): string | undefined {
  const whole = asComponent(value);
  if (isObject(whole) && typeof whole.kind === "string") return whole.kind;
  return value === undefined ? axis.kinds[0]?.kind : undefined;
}

/** A component in full: flow sizes may be written as the name of a distribution or as one size. */
export function asComponent(value: Json | undefined): Json | undefined {
  if (typeof value === "number") return { kind: "fixed", size: value };
  if (typeof value !== "string") return value;
  return "error" in parseQuantity(value, "B") ? { kind: "empirical", name: value } : { kind: "fixed", size: value };
}

/**
 * A whole component of one kind: what both kinds have in common is kept where the new kind takes it, and everything
 * that is required is set. An example from a document goes before the catalogue's.
 */
export function fresh(
  kind: Kind,
  axes: ReadonlySet<string>,
  previous: Json | undefined,
  example?: JsonObject,
): JsonObject {
  if (example !== undefined) return { ...example };
  const made: JsonObject = { ...kind.example, kind: kind.kind };
  for (const field of fieldsOf(kind.schema, kind.schema, axes)) {
    const carried = isObject(previous) ? previous[field.name] : undefined;
    if (carried !== undefined && takes(field, carried)) made[field.name] = carried;
  }
  return made;
}

/** Whether the field can have the value: one name may mean a number here and a list there. */
function takes(field: Field, value: Json): boolean {
  const { type, unit, bounds, options } = field;
  if (value === null) return field.nullable;
  if (typeof value === "string" && field.words.includes(value)) return true;
  const inside = (number: number) => outside(number, bounds, String) === undefined;
  switch (type) {
    case "integer":
      return typeof value === "number" && Number.isInteger(value) && inside(value);
    case "number":
      return typeof value === "number" && inside(value);
    case "quantity": {
      if (typeof value === "number") return inside(value);
      if (typeof value !== "string") return false;
      const parsed = parseQuantity(value, unit as Unit, { packets: field.packets });
      return !("error" in parsed) && (parsed.unit !== unit || inside(parsed.value));
    }
    case "integers":
      return Array.isArray(value) && value.every((one) => Number.isInteger(one));
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && options.includes(value);
    case "text":
      return typeof value === "string";
    case "component":
      return isObject(asComponent(value));
    case "group":
      return isObject(value);
    case "json":
      return field.list ? Array.isArray(value) : typeof value === "object";
  }
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
