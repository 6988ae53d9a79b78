/** One more transfer over the bottleneck: its size, and whether packet runs measure it. */
import { getPath, setPath, type JsonObject } from "@/lib/path";
import { fieldText, parseQuantity } from "@/lib/quantity";

export const SIZE = "run.transfer";
export const PROBES = "run.probe_share";
/** The default where the scenario has none [B]. */
const STANDARD = 1e6;
/** Share of the bottleneck that probes get. */
export const PROBE_SHARE = 0.01;
const OFFERED = [1e4, 1e6, 1e8];

/** Size of the transfer, as text; a text that is not a size is kept unchanged. */
export function transferSize(scenario: JsonObject | undefined): string {
  const written = getPath(scenario, SIZE) ?? STANDARD;
  if (typeof written === "number") return fieldText(written, "B");
  if (typeof written !== "string") return fieldText(STANDARD, "B");
  const read = parseQuantity(written, "B");
  return "value" in read ? fieldText(read.value, "B") : written;
}

/** Sizes to choose from, the scenario's own among them. */
export function offeredSizes(size: string): string[] {
  const offered = OFFERED.map((bytes) => fieldText(bytes, "B"));
  return offered.includes(size) ? offered : [...offered, size];
}

export const isProbing = (scenario: JsonObject | undefined): boolean =>
  typeof (getPath(scenario, PROBES) ?? undefined) !== "undefined";

/** The scenario without the size that no packet run depends on. */
export const withoutUnusedSize = (scenario: JsonObject): JsonObject =>
  isProbing(scenario) ? scenario : (setPath(scenario, SIZE, undefined) as JsonObject);
