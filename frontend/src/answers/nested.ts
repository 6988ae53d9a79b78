import { isObject, unflatten, type JsonObject } from "@/lib/path";

/** A question's values, written with dotted paths, as the document they are leaves of. */
export function nested(values: JsonObject): JsonObject {
  const document = unflatten(Object.entries(values));
  return isObject(document) ? document : {};
}
