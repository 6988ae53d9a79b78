/** Scenarios whose traffic is part fluid, part packets: the engine hybrid runs both in one queue. */

import type { JsonObject } from "@/lib/path";

export function isMixed(scenario: JsonObject | undefined): boolean {
  const entries = scenario?.traffic;
  if (!Array.isArray(entries)) return false;
  const fluid = entries.filter(
    (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry) && entry.as === "fluid",
  ).length;
  return fluid > 0 && fluid < entries.length;
}

/** The engines that a study of what is shown asks: packets, and packets beside a fluid where there is one. */
export function simulators(shown: readonly string[], scenario: JsonObject | undefined): string[] {
  const asked = isMixed(scenario) ? ["hybrid", "packet"].filter((engine) => shown.includes(engine)) : ["packet"];
  return asked.length > 0 ? asked : ["packet"];
}

/** What running these engines is called. */
export function runWords(asked: readonly string[]): string {
  return `Run ${asked.map((engine) => (engine === "packet" ? "packets" : engine)).join(" and ")}`;
}
