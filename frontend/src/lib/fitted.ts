/** What a component needs to differ in from its example so that the scenario around it stays valid. */
import { getPath, isObject, type JsonObject } from "@/lib/path";
import { fieldText, parseQuantity } from "@/lib/quantity";

/** Open-loop traffic may not fill a link on average. */
const FULL = 1;
/** Starts of long flows are spread over this time [s] where nothing else is said. */
const SPREAD = 1;

/**
 * The component, made to fit the rest of the scenario: less load where others bring theirs, earlier starts in a short
 * run.
 */
export function fitted(made: JsonObject, path: string, scenario: JsonObject | undefined): JsonObject {
  const [part, index] = path.split(".");
  if (scenario === undefined || part !== "traffic" || path.split(".").length !== 2) return made;
  const found = { ...made };
  // Queries arrive at random with a load, or one by one with a period.
  if (found.load !== undefined && found.load !== null) delete found.period;
  const entries = Array.isArray(scenario.traffic) ? scenario.traffic : [];
  const others = entries.reduce<number>(
    (sum, entry, i) => sum + (String(i) === index ? 0 : numberAt(entry, "load")),
    0,
  );
  if (typeof found.load === "number" && others < FULL && others + found.load >= FULL)
    found.load = Number(((FULL - others) / 2).toPrecision(2));
  const duration = secondsAt(scenario, "run.duration");
  const spread = secondsAt(found, "start_jitter") ?? SPREAD;
  const start = secondsAt(found, "start") ?? 0;
  if (found.kind === "long_lived" && duration !== undefined && start + spread >= duration) {
    delete found.start;
    found.start_jitter = fieldText(duration / 10, "s");
  }
  return found;
}

/**
 * A class of traffic with another congestion control, and without what its hosts cannot have then: all settings of TCP
 * hosts where flows change to RDMA or back, and a loss recovery that the control does not know. `before`, `recoveries`:
 * loss recoveries of the hosts that the old and the new control run on.
 */
export function withCongestion(
  entry: JsonObject,
  made: JsonObject,
  before: readonly string[],
  recoveries: readonly string[],
): JsonObject {
  const next: JsonObject = { ...entry, congestion: made };
  const other = overTcp(before) !== overTcp(recoveries);
  if (isObject(entry.host))
    next.host = Object.fromEntries(
      Object.entries(entry.host).filter(([name, value]) =>
        other
          ? EITHER_TRANSPORT.includes(name)
          : name !== "recovery" || typeof value !== "string" || recoveries.includes(value),
      ),
    );
  if (other) delete next.window;
  return next;
}

const overTcp = (recoveries: readonly string[]) => recoveries.some((one) => TCP.includes(one));
/** Loss recoveries of TCP, and what a host keeps when it changes to RDMA or back. */
const TCP = ["prr", "sack", "newreno"];
const EITHER_TRANSPORT = ["ecn", "mss", "jitter", "ack_priority"];

/** Why a kind cannot be picked as the scenario is; undefined where it can. */
export function barred(axis: string, kind: string, scenario: JsonObject | undefined): string | undefined {
  const queues = getPath(scenario, "switch.queues");
  return axis === "scheduling" && kind === "fifo" && typeof queues === "number" && queues > 1
    ? "serves one queue only"
    : undefined;
}

function numberAt(document: Parameters<typeof getPath>[0], path: string): number {
  const value = getPath(document, path);
  return typeof value === "number" ? value : 0;
}

function secondsAt(document: JsonObject, path: string): number | undefined {
  const value = getPath(document, path);
  if (typeof value === "number") return value;
  const parsed = typeof value === "string" ? parseQuantity(value, "s") : undefined;
  return parsed !== undefined && "value" in parsed ? parsed.value : undefined;
}
