import { withoutUnusedSize } from "@/lib/oneMore";
import { canonical, getPath, setPath, type JsonObject } from "@/lib/path";
import { BUFFER } from "@/lib/sweep";

/** The scenario without what a sweep over the buffer replaces or what only a reader sees. */
export function sweptQuestion(scenario: JsonObject): string {
  const rest = setPath(setPath(withoutUnusedSize(scenario), BUFFER, undefined), "name", undefined);
  return canonical(getPath(rest, "") ?? null);
}
