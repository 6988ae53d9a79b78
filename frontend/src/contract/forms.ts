/** The schemas of the forms, as the API describes the fields that it takes. */
import raw from "./forms.gen.json";
import type { JsonObject } from "./json";

export const forms: JsonObject = raw;
