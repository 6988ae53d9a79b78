/** What the API takes and answers, by the names of its schemas. Generated: nothing here is written a second time. */
import type { Json } from "./json";
import type { components, paths } from "./schema.gen";

export type { Json, JsonObject } from "./json";

/** The generated types call the values of free-form objects unknown; what comes over HTTP is JSON. */
type Typed<T> = unknown extends T ? Json : T extends object ? { [K in keyof T]: Typed<T[K]> } : T;

export type Schema<Name extends keyof components["schemas"]> = Typed<components["schemas"][Name]>;
export type Paths = Typed<paths>;
