/**
 * The view as a query string. Scenario fields are written as the command line's `--set` writes them,
 * so that a link can be read and edited by hand. Where the fields are no whole scenario
 * (its topology has no kind), they change those of the preset:
 * `?preset=tor-10g&topology.rtt=40+ms&traffic.0.flows=100`, which is the same as
 * `?preset=tor-10g&set=topology.rtt:40ms&set=traffic.0.flows:100`.
 */
import { formatObjective, parseObjective, parseObjectives } from "@/lib/objectives";
import { decodeLeaf, encodeLeaf, readLeaves, readSet, SET_EXAMPLE, writeLeaves } from "@/lib/leaves";
import type { Json, JsonObject } from "@/lib/path";
import { parseSweep } from "@/lib/sweep";
import { DEFAULT_VIEW, PANELS, type View } from "@/lib/view";

/** The greatest factor that the API takes. */
export const MOST_SCALED = 1e6;

const ENGINES = ["theory", "fluid", "hybrid", "packet", "reference"];
/** Parts of a scenario. */
export const PARTS = ["name", "topology", "switch", "switches", "traffic", "run"];
const reserved = new Set([
  "preset",
  "from",
  "over",
  "scale",
  "engines",
  "third",
  "panel",
  "about",
  "need",
  "packet",
  "study",
  "a",
  "set",
]);

export function encodeView(view: View): string {
  const query = new URLSearchParams();
  if (view.preset !== DEFAULT_VIEW.preset || view.scenario !== undefined) query.set("preset", view.preset);
  const spread = (scenario: JsonObject | undefined, prefix: string) => {
    if (scenario !== undefined) writeLeaves(query, scenario, prefix);
  };
  spread(view.scenario, "");
  for (const [path, value] of view.set ?? []) query.append("set", `${path}:${encodeLeaf(value)}`);
  const write = (key: string, value: string | undefined, standard: string | undefined) => {
    if (value !== undefined && value !== standard) query.set(key, value);
  };
  write("from", view.from, undefined);
  write("over", view.over, undefined);
  write("engines", view.engines.join(","), DEFAULT_VIEW.engines.join(","));
  write("third", view.third, undefined);
  write("panel", view.panel, DEFAULT_VIEW.panel);
  write("about", view.about, undefined);
  write("need", view.objectives?.map(formatObjective).join(","), undefined);
  write("packet", view.packet === undefined ? undefined : `${view.packet.points}x${view.packet.replicas}`, undefined);
  write("scale", view.scale === undefined ? undefined : String(view.scale), undefined);
  write("study", view.study, undefined);
  spread(view.pinned?.scenario, "a.");
  write("a.study", view.pinned?.study, undefined);
  return query.toString();
}

export function decodeView(search: string): View {
  const query = new URLSearchParams(search);
  const view: View = { ...DEFAULT_VIEW };
  const fields = [...query].filter(([key]) => PARTS.includes(key.split(".")[0] ?? key));
  const whole = query.has("topology.kind");
  const scenario = whole ? readLeaves(fields) : undefined;
  if (scenario !== undefined) view.scenario = scenario;
  const single = whole ? [] : fields.map(([path, value]): [string, Json] => [path, decodeLeaf(value)]);
  const set = [
    ...single,
    ...query
      .getAll("set")
      .map(readSet)
      .filter((one) => one !== null),
  ];
  if (set.length > 0) view.set = set;
  const kept = [...query]
    .filter(([key]) => key.startsWith("a."))
    .map(([key, value]): [string, string] => [key.slice(2), value]);
  const pinned = readLeaves(kept.filter(([key]) => key !== "study"));
  const keptStudy = query.get("a.study");
  if (pinned !== undefined) view.pinned = { scenario: pinned, ...(keptStudy === null ? {} : { study: keptStudy }) };
  const text = (key: string) => query.get(key) ?? undefined;
  const [from, over, third, about, study] = [text("from"), text("over"), text("third"), text("about"), text("study")];
  view.preset = text("preset") ?? DEFAULT_VIEW.preset;
  if (from !== undefined) view.from = from;
  if (over !== undefined) view.over = over;
  if (third !== undefined) view.third = third;
  if (about !== undefined) view.about = about;
  if (study !== undefined) view.study = study;
  const engines = text("engines");
  if (engines !== undefined) view.engines = engines.split(",").filter((name) => name !== "");
  view.panel = PANELS.find((panel) => panel === text("panel")) ?? DEFAULT_VIEW.panel;
  const need = text("need");
  if (need !== undefined) view.objectives = parseObjectives(need);
  const scale = Number(text("scale"));
  if (scale > 1 && scale <= MOST_SCALED) view.scale = scale;
  const packet = readPacket(text("packet") ?? "");
  if (packet !== undefined) view.packet = packet;
  return view;
}

/** Points and replicas of a packet run, `9x3`; undefined for anything else. */
function readPacket(text: string): View["packet"] {
  const [, points, replicas] = /^(\d{1,4})x(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  return points !== undefined && replicas !== undefined && points >= 2 && replicas >= 1
    ? { points, replicas }
    : undefined;
}

/** Parts of a link that the page cannot use, each with what is accepted. metrics: the API's, once they are known. */
export function ignoredIn(search: string, metrics?: ReadonlySet<string>): string[] {
  const query = new URLSearchParams(search);
  const found: string[] = [];
  const check = (key: string, good: (value: string) => boolean, wanted: string) => {
    for (const value of query.getAll(key)) if (!good(value)) found.push(`${key}=${value} (${wanted})`);
  };
  const among = (names: readonly string[]) => (value: string) =>
    value.split(",").every((name) => name === "" || names.includes(name));
  check("engines", among(ENGINES), `any of ${ENGINES.join(", ")}`);
  check("panel", (value) => PANELS.some((panel) => panel === value), `one of ${PANELS.join(", ")}`);
  const needed = new Set<string>();
  for (const one of query.getAll("need").flatMap((value) => value.split(","))) {
    const read = parseObjective(one);
    if (read === null) found.push(`need=${one} (such as utilisation>=0.99; a share from 0 to 1)`);
    else if (needed.has(read.metric)) found.push(`need=${one} (one target for each metric; the first one is used)`);
    else if (metrics !== undefined && !metrics.has(read.metric)) found.push(`need=${one} (no such metric)`);
    if (read !== null) needed.add(read.metric);
  }
  check("scale", (value) => Number(value) >= 1 && Number(value) <= MOST_SCALED, `a number from 1 to ${MOST_SCALED}`);
  check("packet", (value) => readPacket(value) !== undefined, "2 points or more and 1 replica or more, such as 9x3");
  check("over", (value) => parseSweep(value, {}) !== null, "such as 25kB:2.5MB:log9");
  check("set", (value) => readSet(value) !== null, SET_EXAMPLE);
  for (const key of new Set(query.keys())) {
    const first = key.split(".")[0] ?? key;
    if (!reserved.has(key) && first !== "a" && !PARTS.includes(first)) found.push(`${key} (no such field)`);
  }
  return found;
}
