/** Schemas of request bodies, generated from the API's description, as forms need them. */
import { isObject, type JsonObject } from "@/lib/path";
import { resolve } from "@/lib/schema";

/** The schema of one operation's body out of the generated document. */
export function formOf(document: JsonObject, operation: string): JsonObject {
  const forms = document.forms;
  const node = isObject(forms) ? forms[operation] : undefined;
  if (!isObject(node)) throw new Error(`no form for ${operation}`);
  return resolve(node, document);
}
