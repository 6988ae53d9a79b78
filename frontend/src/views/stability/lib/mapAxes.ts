/** The numeric fields of a scenario that a map can look across, and the values along an axis. */
import type { Axis } from "@/lib/component";
import { getPath, isObject, type JsonObject } from "@/lib/path";
import { formatQuantity, parseQuantity, type Unit } from "@/lib/quantity";
import { fieldsOf, type Bounds, type Field } from "@/lib/schema";

export type MapField = {
  path: string;
  label: string;
  /** The part of the scenario it belongs to, in words. */
  group: string;
  unit: string;
  /** Takes whole numbers only, as counts and bytes do. */
  whole: boolean;
  /** In the scenario itself, SI. */
  value: number;
  bounds: Bounds;
};

export type MapAxis = { field: MapField; low: number; high: number };

const NUMERIC = new Set(["quantity", "number", "integer"]);

/** Fields with a positive number, in the scenario with all defaults filled in as the API gives it back. */
export function mapFields(scenario: JsonObject, axes: readonly Axis[]): MapField[] {
  const traffic = Array.isArray(scenario.traffic) ? scenario.traffic : [];
  const parts: [path: string, axis: string, group: string][] = [
    ...traffic.map((_, i): [string, string, string] => [
      `traffic.${i}`,
      "traffic",
      traffic.length > 1 ? `Traffic ${i + 1}` : "Traffic",
    ]),
    ["topology", "topology", "Topology"],
    ["switch.marking", "marking", "Marking"],
    ...traffic.map((_, i): [string, string, string] => [
      `traffic.${i}.congestion`,
      "congestion",
      traffic.length > 1 ? `Congestion control ${i + 1}` : "Congestion control",
    ]),
  ];
  const names = new Set(axes.map(({ axis }) => axis));
  const found = parts.flatMap(([path, axis, group]) => {
    const own = getPath(scenario, path);
    const kind = axes.find((one) => one.axis === axis)?.kinds.find((one) => isObject(own) && one.kind === own.kind);
    if (kind === undefined) return [];
    return fieldsOf(kind.schema, kind.schema, names).flatMap((field) =>
      asField(scenario, `${path}.${field.name}`, group, field),
    );
  });
  const buffer = asField(scenario, "switch.buffer", "Switch", {
    type: "quantity",
    label: "Buffer",
    unit: "B",
    bounds: { gt: 0 },
  });
  return [...found.filter(({ path }) => !/\.(start|start_jitter|access|pairs)$/.test(path)), ...buffer];
}

function asField(
  scenario: JsonObject,
  path: string,
  group: string,
  { type, label, unit, bounds }: Pick<Field, "type" | "label" | "unit" | "bounds">,
): MapField[] {
  const value = getPath(scenario, path);
  if (!NUMERIC.has(type) || typeof value !== "number" || value <= 0) return [];
  return [{ path, label, group, unit, whole: type === "integer" || unit === "B", value, bounds }];
}

/** What the map looks across unless it was chosen: flows and round trip, else what there is. */
export function usualFields(fields: MapField[]): [MapField, MapField] | undefined {
  const flows = fields.find(({ path }) => path.endsWith(".flows"));
  const trip = fields.find(({ path }) => path === "topology.rtt");
  const [first, second] = [flows, trip, ...fields.filter((field) => field !== flows && field !== trip)].filter(
    (field) => field !== undefined,
  );
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** A decade either way of the present value, as far as the field and its neighbours go. */
export function around(field: MapField, fields: MapField[]): MapAxis {
  const { value, bounds, whole, path, unit } = field;
  const neighbour = (name: string) => fields.find((other) => other.path === path.replace(/[^.]+$/, name))?.value;
  // A ramp needs Kmin below Kmax.
  const least = path.endsWith(".kmax") ? 1.02 * (neighbour("kmin") ?? 0) : 0;
  const most = path.endsWith(".kmin") ? 0.98 * (neighbour("kmax") ?? Infinity) : Infinity;
  const low = Math.max(value / 10, bounds.ge ?? 0, (bounds.gt ?? 0) * 1.01, least, whole ? 1 : 0);
  const high = Math.min(value * 10, bounds.le ?? Infinity, (bounds.lt ?? Infinity) * 0.99, most);
  const tidy = (end: number, round: (scaled: number) => number) => {
    const scale = 10 ** (Math.floor(Math.log10(end)) - 1);
    return Number((round(end / scale) * scale).toPrecision(3));
  };
  // Flows are counted from two: a single one often has nobody to share with.
  const count = (end: number) => (whole && end < 100 ? Math.ceil(end) : end);
  const ends = {
    low: count(tidy(Math.max(low, whole && unit !== "B" && value > 2 ? 2 : 0), (scaled) => Math.ceil(scaled - 1e-9))),
    high: tidy(high, (scaled) => Math.floor(scaled + 1e-9)),
  };
  return ends.low < ends.high ? { field, ...ends } : { field, low, high: high > low ? high : low * 2 };
}

/** "traffic.0.flows:5:500", ends in SI units or with a unit; undefined when that is no axis of this scenario. */
export function parseAxis(text: string | undefined, fields: MapField[]): MapAxis | undefined {
  const [path, from, to] = text?.split(":") ?? [];
  const field = fields.find((one) => one.path === path);
  if (field === undefined) return undefined;
  if (from === undefined || to === undefined) return around(field, fields);
  const [low, high] = [from, to].map((end) => readEnd(end, field));
  return typeof low === "number" && typeof high === "number" && low > 0 && high > low
    ? { field, low, high }
    : around(field, fields);
}

/** The number of one end of a range, or what is wrong with its text. */
export function readEnd(text: string, { unit }: MapField): number | { error: string } {
  const known = ["bit/s", "B", "s", "m"].includes(unit);
  const read = parseQuantity(text, known ? (unit as Unit) : "1");
  if ("error" in read) return read;
  return read.value > 0 ? read.value : { error: "must be above 0" };
}

export const formatAxis = ({ field, low, high }: MapAxis) => `${field.path}:${low}:${high}`;

/** Values along an axis at equal ratios; whole numbers are told once. */
export function valuesOf({ field, low, high }: MapAxis, count: number): number[] {
  const values = Array.from({ length: count }, (_, i) =>
    Number((low * (high / low) ** (i / (count - 1))).toPrecision(8)),
  );
  return field.whole ? [...new Set(values.map((value) => Math.max(1, Math.round(value))))] : values;
}

/** A value of a field as a person reads it. */
export const showField = ({ unit }: Pick<MapField, "unit">, value: number, digits = 3) =>
  formatQuantity(value, unit, digits);
