/**
 * The state of the headroom view: the question as the API takes it, a pool question under `pool`, and under `page`
 * what only the page knows. One document, so that a link carries all of it.
 */
import { listed } from "@/lib/controls";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldText, parseQuantity, type Unit } from "@/lib/quantity";

export const HEADROOM_PANELS = ["lines", "shipped", "explain"] as const;
export type HeadroomPanel = (typeof HEADROOM_PANELS)[number];

/** What the view opens with when its address says nothing. */
export const FIRST_LINK: JsonObject = { speed: "400 Gb/s", cable: "40 m", asic: "tomahawk5" };

/** Fields that a pool question takes over from the link's. */
const SHARED = ["asic", "buffer", "cell_size", "cable", "mtu"];
const METRES_PER_SECOND = 2e8;
const FEW_PORTS = 32;

/** Whether headroom is pooled: the pool's question and the link's say it under these names. */
const POOLING = [
  ["over_subscribe_ratio", "over_subscribe_ratio"],
  ["headroom_pool", "shared_headroom_pool"],
] as const;

/** The link's question, without what is the pool's or the page's. */
export function linkOf(state: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(state).filter(([name]) => name !== "pool" && name !== "page"));
  const given = isObject(state.pool) ? state.pool : {};
  for (const [theirs, ours] of POOLING)
    if (own[ours] === undefined && given[theirs] !== undefined) own[ours] = given[theirs];
  const placed = own.cable !== undefined || own.delay !== undefined;
  return { speed: FIRST_LINK.speed ?? "", ...(placed ? {} : { cable: FIRST_LINK.cable ?? "" }), ...own };
}

export type SchemeParameters = {
  /** Parameters by name with the schemes that have them. */
  owners: ReadonlyMap<string, readonly string[]>;
  /** Fields of the pool's question, which says these itself. */
  pool: ReadonlySet<string>;
};

/** Told to schemes for totals of a switch; the pool's question says these under other names. */
const TOTALS = new Set(["queues", "priority_groups", "shared_headroom_pool", "private", "alpha"]);

/**
 * The pool's question: the chip, its ports at the link's speed, and the headroom that a scheme gives them; undefined
 * without a memory to divide. Pools written out are checked alone unless ports are written out too.
 */
export function poolOf(
  state: JsonObject,
  scheme: string,
  capacity: number | undefined,
  { owners, pool }: SchemeParameters,
): JsonObject | undefined {
  const link = linkOf(state);
  const given = isObject(state.pool) ? state.pool : {};
  if (link.asic === undefined && link.buffer === undefined && given.buffer === undefined) return undefined;
  const shared = Object.fromEntries(SHARED.flatMap((name) => (link[name] === undefined ? [] : [[name, link[name]]])));
  const ports = given.pools === undefined ? { ports: portsOf(link, capacity) } : {};
  const parametersOf = (kind: string) =>
    Object.fromEntries(
      Object.entries(link).filter(
        ([name]) => owners.get(name)?.includes(kind) === true && !pool.has(name) && !TOTALS.has(name),
      ),
    );
  const headroom = given.headroom === undefined ? { scheme: { kind: scheme, ...parametersOf(scheme) } } : {};
  // The comparison asks each scheme what the bars above it ask.
  const others = [...new Set([...owners.values()].flat())]
    .filter((kind) => kind !== scheme)
    .map((kind) => [kind, parametersOf(kind)] as const);
  const compared = others.filter(([, own]) => Object.keys(own).length > 0);
  return {
    ...shared,
    ...cableOf(link),
    ...ports,
    ...headroom,
    ...(compared.length > 0 ? { compared: Object.fromEntries(compared) } : {}),
    ...pooledBy(link, given),
    ...given,
  };
}

/** How the link says that headroom is pooled, where the pool's own fields do not. */
function pooledBy(link: JsonObject, given: JsonObject): JsonObject {
  if (given.pools !== undefined || POOLING.some(([theirs]) => given[theirs] !== undefined)) return {};
  const said = POOLING.find(([, ours]) => (numberOf(link[ours], ours === "shared_headroom_pool" ? "B" : "1") ?? 0) > 0);
  return said === undefined ? {} : { [said[0]]: link[said[1]] ?? null };
}

/** Where the view's form has the field that the pool's question calls `path`. */
export function poolPath(path: string, state: JsonObject): string {
  const [first = "", ...rest] = path.split(".");
  const given = isObject(state.pool) ? state.pool : {};
  if (first === "scheme") return rest.join(".");
  if (first === "compared") return rest.slice(1).join(".");
  if (SHARED.includes(first) && given[first] === undefined) return first;
  // Ports and pools are written as one line of text.
  return first === "ports" || first === "pools" ? `pool.${first}` : `pool.${path}`;
}

function cableOf({ delay }: JsonObject): JsonObject {
  const seconds = numberOf(delay, "s");
  return seconds === undefined ? {} : { cable: seconds * METRES_PER_SECOND };
}

/** As many ports of the link's speed as the chip forwards at once. */
function portsOf({ speed }: JsonObject, capacity: number | undefined): string {
  const rate = numberOf(speed, "bit/s");
  const count = capacity === undefined || rate === undefined ? FEW_PORTS : Math.floor(capacity / rate + 1e-9);
  return `${Math.max(1, count)}x${typeof speed === "string" ? speed : fieldText(rate ?? 0, "bit/s")}`;
}

/** A quantity as number or text in its base unit, where it makes sense. */
function numberOf(raw: Json | undefined, unit: Unit): number | undefined {
  if (typeof raw === "number") return raw;
  const parsed = typeof raw === "string" ? parseQuantity(raw, unit) : undefined;
  return parsed !== undefined && "value" in parsed ? parsed.value : undefined;
}

type Schemes = Record<string, { title: string; outside: string }>;

/** Schemes that hold for the link. */
export const holding = <T extends { outside: string }>(schemes: Record<string, T>): T[] =>
  Object.values(schemes).filter(({ outside }) => outside === "");

/** " Outside validity here: A and B."; empty where every scheme holds. */
export function outsideWords(schemes: Schemes): string {
  const titles = Object.values(schemes).flatMap(({ title, outside }) => (outside === "" ? [] : [title]));
  return titles.length === 0 ? "" : ` Outside validity here: ${listed(titles)}.`;
}
