/** From a pool's question to what an export asks for, and from an imported configuration back to the form. */
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldText } from "@/lib/quantity";

/** Priorities in the order in which they are made lossless; 3 and 4 are what fabrics use. */
const PRIORITIES = [3, 4, 2, 5, 1, 6, 0];
const USUAL_CLASSES = 2;
/** Fields that pool and export call by one name. */
const SAME = [
  "asic",
  "buffer",
  "cell_size",
  "ports",
  "cable",
  "headroom",
  "reserved_pg",
  "reserved_queue",
  "over_subscribe_ratio",
  "headroom_pool",
  "alpha_lossless",
  "alpha_lossy",
];

export function exportOf(pool: JsonObject): JsonObject {
  const same = SAME.flatMap((name): [string, Json][] => (pool[name] === undefined ? [] : [[name, pool[name]]]));
  const classes = typeof pool.lossless_classes === "number" ? pool.lossless_classes : USUAL_CLASSES;
  const { kind, ...settings } = isObject(pool.scheme) ? pool.scheme : {};
  const marking = isObject(pool.marking) ? pool.marking : {};
  return {
    ...Object.fromEntries(same),
    lossless: PRIORITIES.slice(0, classes).sort((a, b) => a - b),
    ...(kind === undefined ? {} : { scheme: kind }),
    ...(Object.keys(settings).length === 0 ? {} : { scheme_settings: settings }),
    ...(marking.kmin === undefined || marking.kmax === undefined ? {} : { kmin: marking.kmin, kmax: marking.kmax }),
  };
}

type Port = { speed: number; cable: number | null };

/** Ports as the form writes them: alike ones counted, "32x100 Gb/s@300 m, 8x400 Gb/s@40 m". */
export function portsText(ports: Port[]): string {
  const counts = new Map<string, number>();
  for (const { speed, cable } of ports) {
    const text = `${fieldText(speed, "bit/s")}${cable === null ? "" : `@${fieldText(cable, "m")}`}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${count}x${text}`).join(", ");
}

type Pool = { size: number | null; xoff: number };

/**
 * Pools as the form writes them: "ingress_lossless_pool=26531072+6291456"; one whose size the switch calculates is
 * left out.
 */
export function poolsText(pools: Record<string, Pool>): string {
  return Object.entries(pools)
    .filter(([, { size }]) => size !== null)
    .map(([name, { size, xoff }]) => `${name}=${size ?? 0}${xoff > 0 ? `+${xoff}` : ""}`)
    .join(", ");
}
