import { createContext, use } from "react";

import type { Axis } from "@/lib/component";
import type { Json, JsonObject } from "@/lib/path";
import type { Field } from "@/lib/schema";

export type Help = { field: Field; path: string };

export type Form = {
  axes: ReadonlyMap<string, Axis>;
  axisNames: ReadonlySet<string>;
  /** What the API said about a field, by dotted path. */
  errors: ReadonlyMap<string, string>;
  /** The scenario that the fields belong to; absent for other documents. */
  scenario?: JsonObject;
  /** Documents whose components serve as examples when a kind is picked. */
  examples: JsonObject[];
  /** Replaces the value at a path; undefined removes it, so that the default holds. */
  change: (path: string, value: Json | undefined) => void;
  /** The field the person is at, described in the help line. */
  help: (help: Help | null) => void;
};

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = use(FormContext);
  if (form === null) throw new Error("a field needs a FormContext around it");
  return form;
}

export const fieldId = (path: string) => `field-${path.replaceAll(".", "-")}`;
