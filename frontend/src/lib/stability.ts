/**
 * The state of the stability view as a query string; the scenario's fields are written as the buffer view writes them.
 */
import { encodeLeaf, readLeaves, readSet, SET_EXAMPLE, writeLeaves } from "@/lib/leaves";
import type { Json, JsonObject } from "@/lib/path";
import { PARTS } from "@/lib/permalink";

export const STABILITY_PANELS = ["answer", "explain", "cells"] as const;
export type StabilityPanel = (typeof STABILITY_PANELS)[number];

export type StabilityView = {
  /** The preset this began with. */
  preset: string;
  /** The scenario; absent while it is the preset's own. */
  scenario?: JsonObject;
  /** Fields that a link changes, each a path with its value. */
  set?: [string, Json][];
  /** The axes of the map, "traffic.0.flows:5:500"; absent while they are the usual ones. */
  x?: string;
  y?: string;
  /** Values of both axes at the chosen cell, "50,0.02"; absent for the scenario itself. */
  at?: string;
  panel: StabilityPanel;
};

/** Used in place of a preset's id where the scenario has no preset. */
export const OWN = "own";

/** A wide-area bottleneck with RED: what the view opens with, because its map has all there is to see. */
export const FIRST_STABILITY: StabilityView = {
  preset: OWN,
  scenario: {
    name: "WAN bottleneck with RED",
    topology: { kind: "dumbbell", bottleneck: "1 Gb/s", access: "1 Gb/s", rtt: "20 ms" },
    switch: { buffer: "2.5 MB", marking: { kind: "red", kmin: "100 kB", kmax: "1 MB", pmax: 0.1 } },
    traffic: [{ kind: "long_lived", flows: 50, congestion: { kind: "newreno" } }],
  },
  panel: "answer",
};

const texts = ["x", "y", "at"] as const;
const reserved = new Set<string>(["preset", "panel", "set", ...texts]);
const own = (key: string) => PARTS.includes(key.split(".")[0] ?? key);

export function encodeStability(view: StabilityView): string {
  const query = new URLSearchParams({ preset: view.preset });
  if (view.scenario !== undefined) writeLeaves(query, view.scenario);
  for (const [path, value] of view.set ?? []) query.append("set", `${path}:${encodeLeaf(value)}`);
  for (const key of texts) {
    const value = view[key];
    if (value !== undefined) query.set(key, value);
  }
  if (view.panel !== "answer") query.set("panel", view.panel);
  return query.toString();
}

export function decodeStability(search: string): StabilityView {
  const query = new URLSearchParams(search);
  const scenario = readLeaves([...query].filter(([key]) => own(key)));
  const set = query
    .getAll("set")
    .map(readSet)
    .filter((one) => one !== null);
  const named = query.get("preset");
  const first =
    named === null && scenario === undefined ? FIRST_STABILITY : { preset: named ?? FIRST_STABILITY.preset };
  const found: StabilityView = {
    ...first,
    panel: STABILITY_PANELS.find((panel) => panel === query.get("panel")) ?? "answer",
  };
  if (scenario !== undefined) found.scenario = scenario;
  if (set.length > 0) found.set = set;
  for (const key of texts) {
    const value = query.get(key);
    if (value !== null) found[key] = value;
  }
  return found;
}

/** Parts of a link that the view cannot use. */
export function ignoredInStability(search: string): string[] {
  const query = new URLSearchParams(search);
  const panel = query.get("panel");
  return [
    ...(panel !== null && !STABILITY_PANELS.some((one) => one === panel)
      ? [`panel=${panel} (one of ${STABILITY_PANELS.join(", ")})`]
      : []),
    ...query
      .getAll("set")
      .filter((text) => readSet(text) === null)
      .map((text) => `set=${text} (${SET_EXAMPLE})`),
    ...[...new Set(query.keys())]
      .filter((key) => !reserved.has(key) && !own(key))
      .map((key) => `${key} (no such field)`),
  ];
}

/** Values of both axes at the chosen cell. */
export function cellOf(view: StabilityView): [number, number] | undefined {
  const parts = view.at?.split(",").map(Number) ?? [];
  const [x, y] = parts;
  return parts.length === 2 && x !== undefined && y !== undefined && x > 0 && y > 0 ? [x, y] : undefined;
}
