/** A document as options of the command line: `--speed '100 Gb/s' --marking-kmin 150kB --set scheme.lanes=8`. */
import { isObject, type Json, type JsonObject } from "@/lib/path";

export function flags(document: JsonObject): string[] {
  return Object.entries(document).flatMap(([name, value]) => option(name, value));
}

function option(name: string, value: Json): string[] {
  if (!isObject(value)) return [`--${name.replaceAll("_", "-")} ${word(value)}`];
  const { kind, ...rest } = value;
  // A part is picked by its kind; its parameters have no options of their own.
  if (kind !== undefined) return [`--${name} ${word(kind)}`, ...Object.entries(rest).map(([key, item]) => `--set ${name}.${key}=${word(item)}`)];
  return Object.entries(rest).flatMap(([key, item]) => option(`${name}_${key}`, item));
}

/** One word of a shell. */
function word(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w@.,:%+/=×-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
