export type Json = string | number | boolean | null | Json[] | JsonObject;
// An interface, because a type alias may not refer to itself through Record.
export interface JsonObject {
  [key: string]: Json;
}
