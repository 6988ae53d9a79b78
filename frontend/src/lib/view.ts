/** Everything the page shows, as one value that the address bar carries. */
import type { Objective } from "@/lib/objectives";
import { withChanges } from "@/lib/leaves";
import type { Json, JsonObject } from "@/lib/path";

export const PANELS = ["answer", "explain", "values"] as const;
export type Panel = (typeof PANELS)[number];

export type Packet = { points: number; replicas: number };

export type View = {
  /** The preset this began with. */
  preset: string;
  /** Where the scenario comes from when it is no preset's, such as a published experiment. */
  from?: string;
  /** The scenario; absent while it is the preset's own. */
  scenario?: JsonObject;
  /** Fields of the preset's scenario that a link changes, each a path with its value. */
  set?: [string, Json][];
  /** The sweep, "25kB:2.5MB:log41"; absent while it is the preset's own. */
  over?: string;
  /** Engines shown. */
  engines: string[];
  /** What the third plot shows; absent lets the results decide. */
  third?: string;
  panel: Panel;
  /** The explanation asked for. */
  about?: string;
  /** The targets; absent for the usual ones. */
  objectives?: Objective[];
  /** Buffer sizes and replicas of a packet study; absent while they are the preset's. */
  packet?: Packet;
  /** Factor by which rates and flows are divided for the packet study, buffers to match; absent for none. */
  scale?: number;
  /** The packet study whose points are shown. */
  study?: string;
  /** The scenario kept as A, which the one on the page (B) is compared with. */
  pinned?: Pinned;
};

export type Pinned = { scenario: JsonObject; study?: string };

/** Changes to a view; undefined removes. */
export type Patch = { [Key in keyof View]?: View[Key] | undefined };

export function patched(view: View, patch: Patch): View {
  const merged = { ...view, ...patch };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as View;
}

/** The view with the changes of its link made to the preset's scenario, once that is known. */
export function withSet(view: View, preset: JsonObject | undefined): View {
  const { set, ...rest } = view;
  const start = view.scenario ?? preset;
  if (set === undefined || start === undefined) return view;
  return { ...rest, scenario: withChanges(start, set) };
}

export const FIRST_PRESET = "wan-bottleneck";

export const DEFAULT_VIEW: View = {
  preset: FIRST_PRESET,
  engines: ["theory", "fluid", "hybrid", "packet"],
  panel: "answer",
};

const CHANGED = ", changed";

/** Once edited, a scenario is no longer what it is named after. */
export const changedFrom = (from: string): string => (from.endsWith(CHANGED) ? from : `${from}${CHANGED}`);
