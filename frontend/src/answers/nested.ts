import { isObject, unflatten, type JsonObject } from "@/lib/path";

/** A question's values, by dotted path, as one document. */
export function nested(values: JsonObject): JsonObject {
  const document = unflatten(Object.entries(values));
  return isObject(document) ? document : {};
}
