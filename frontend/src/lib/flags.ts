/** A document as options of the command line: `--speed '100 Gb/s' --marking-kmin 150kB --set scheme.lanes=8`. */
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldsOf, type Field } from "@/lib/schema";
import { option } from "@/lib/shell";

const NO_AXES: ReadonlySet<string> = new Set();

/**
 * Options for the fields that the form has. An address may hold anything: a name that the form does not know is left
 * out, because the command has no such option.
 */
export function flags(document: JsonObject, form: JsonObject, root: JsonObject): string[] {
  return fieldsOf(form, root, NO_AXES).flatMap((field) => {
    const value = own(document, field.name);
    return value === undefined ? [] : optionsOf(field, value, root);
  });
}

/** One option per known field, objects as JSON: for commands that take a part as one document. */
export function flatFlags(document: JsonObject, form: JsonObject, root: JsonObject): string[] {
  return fieldsOf(form, root, NO_AXES).flatMap(({ name }) => {
    const value = own(document, name);
    return value === undefined ? [] : [option(`--${dashed(name)}`, textOf(value))];
  });
}

function optionsOf(field: Field, value: Json, root: JsonObject, prefix = ""): string[] {
  const name = `--${dashed(prefix + field.name)}`;
  if (!isObject(value)) return [option(name, textOf(value))];
  const { kind, ...rest } = value;
  // A part is picked by its kind; its parameters have no options of their own.
  if (kind !== undefined)
    return [
      option(name, textOf(kind)),
      ...Object.entries(rest).map(([key, item]) => option("--set", `${field.name}.${key}=${textOf(item)}`)),
    ];
  const inner = field.schema === undefined ? [] : fieldsOf(field.schema, root, NO_AXES);
  return inner.flatMap((one) => {
    const item = own(rest, one.name);
    return item === undefined ? [] : optionsOf(one, item, root, `${field.name}_`);
  });
}

const own = (document: JsonObject, name: string) => (Object.hasOwn(document, name) ? document[name] : undefined);
const dashed = (name: string) => name.replaceAll("_", "-");

/** A value as the command line reads it. */
export const textOf = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value));
