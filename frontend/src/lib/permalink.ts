/**
 * The view as a query string. Scenario fields are written as the command line's `--set` writes them,
 * so that a link can be read and edited by hand: `?topology.rtt=40+ms&traffic.0.flows=100`.
 */
import { formatObjective, parseObjective } from "@/lib/objectives";
import { readLeaves, writeLeaves } from "@/lib/leaves";
import type { JsonObject } from "@/lib/path";
import { DEFAULT_VIEW, PANELS, type View } from "@/lib/view";

/** The greatest factor that the API takes. */
export const MOST_SCALED = 1e6;

const reserved = new Set(["preset", "from", "over", "scale", "engines", "third", "panel", "about", "need", "packet", "study", "a"]);

export function encodeView(view: View): string {
  const query = new URLSearchParams();
  if (view.preset !== DEFAULT_VIEW.preset || view.scenario !== undefined) query.set("preset", view.preset);
  const spread = (scenario: JsonObject | undefined, prefix: string) => {
    if (scenario !== undefined) writeLeaves(query, scenario, prefix);
  };
  spread(view.scenario, "");
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
  const scenario = readLeaves([...query].filter(([key]) => !reserved.has(key.split(".")[0] ?? key)));
  if (scenario !== undefined) view.scenario = scenario;
  const kept = [...query].filter(([key]) => key.startsWith("a.")).map(([key, value]): [string, string] => [key.slice(2), value]);
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
  if (need !== undefined) view.objectives = need.split(",").map(parseObjective).filter((objective) => objective !== null);
  const scale = Number(text("scale"));
  if (scale > 1 && scale <= MOST_SCALED) view.scale = scale;
  const packet = /^(\d{1,4})x(\d{1,4})$/.exec(text("packet") ?? "");
  if (packet !== null) view.packet = { points: Math.max(2, Number(packet[1])), replicas: Math.max(1, Number(packet[2])) };
  return view;
}
