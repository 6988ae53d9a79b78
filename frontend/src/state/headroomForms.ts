import { forms } from "@/contract/forms";
import { formOf } from "@/lib/forms";
import type { SchemeParameters } from "@/lib/headroom";
import { isObject } from "@/lib/path";
import { namesOf } from "@/lib/schema";

/** Where the references of the schemas lead. */
export const formRoot = forms;
export const linkSchema = formOf(formRoot, "computeHeadroom");
export const poolSchema = formOf(formRoot, "assessPool");

/** Which schemes have a parameter; the API's description of the question says so. */
function ownersOf(name: string): string[] {
  const field = isObject(linkSchema.properties) ? linkSchema.properties[name] : undefined;
  const owners = isObject(field) ? field.schemes : undefined;
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === "string") : [];
}

export const schemeParameters: SchemeParameters = {
  owners: new Map(
    namesOf(linkSchema).flatMap((name) => (ownersOf(name).length === 0 ? [] : [[name, ownersOf(name)] as const])),
  ),
  pool: new Set(namesOf(poolSchema)),
};
