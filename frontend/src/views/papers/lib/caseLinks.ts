/** Addresses under which a scenario of a paper is opened where it can be changed and asked again. */
import { sharingCodec, withTimeline } from "@/lib/emulation";
import type { JsonObject } from "@/lib/path";
import { encodeView } from "@/lib/permalink";
import { parseQuantity } from "@/lib/quantity";
import { around, bufferBytes, formatSweep } from "@/lib/sweep";
import { DEFAULT_VIEW } from "@/lib/view";

/** Packet runs of a published experiment take their time: the buffer it has, and a decade either way. */
const POINTS = 3;

/** The buffer view's query: the scenario as it is run there, its buffer in the middle of the sweep. */
export function bufferQuery(name: string, scenario: JsonObject): string {
  const buffer = bufferBytes(scenario);
  const over = buffer === undefined ? {} : { over: formatSweep({ ...around(buffer), points: POINTS }) };
  return encodeView({ ...DEFAULT_VIEW, from: name, scenario, ...over, packet: { points: POINTS, replicas: 1 } });
}

/** The sharing view's query: one packet run with queue and threshold over time. */
export function runQuery(name: string, scenario: JsonObject): string {
  const seconds = (value: unknown) => {
    const parsed = typeof value === "string" ? parseQuantity(value, "s") : undefined;
    return typeof value === "number" ? value : parsed !== undefined && "value" in parsed ? parsed.value : undefined;
  };
  return sharingCodec.encode({ page: { mode: "run" }, run: { from: name, scenario: withTimeline(scenario, seconds) } });
}
