/** JSON schemas of components, read into the fields a form shows. */
import { isObject, type Json, type JsonObject } from "@/lib/path";

export type Bounds = { gt?: number; ge?: number; lt?: number; le?: number };

export type FieldType =
  | "quantity" // number or text with a unit
  | "number"
  | "integer"
  | "integers" // a list of whole numbers, written with commas
  | "boolean"
  | "choice"
  | "text"
  | "component" // picked by its kind from an axis of the catalogue
  | "group" // an object with fields of its own
  | "json"; // anything a form has no better field for

export type Field = {
  name: string;
  label: string;
  type: FieldType;
  /** The axis of the catalogue that a component is picked from. */
  axis: string;
  /** Of "json": a list rather than an object. */
  list: boolean;
  /** Whether a scenario also takes the size as a number of packets. */
  packets: boolean;
  description: string;
  unit: string;
  symbol: string;
  /** A part of a whole, which people write as a percentage. */
  share: boolean;
  source: string;
  advanced: boolean;
  required: boolean;
  nullable: boolean;
  default: Json | undefined;
  options: string[];
  /** Words that a number may be replaced by. */
  words: string[];
  bounds: Bounds;
  /** The object's schema, when the field is a group. */
  schema?: JsonObject;
};

const acronyms: Record<string, string> = {
  rtt: "RTT",
  rto: "RTO",
  mtu: "MTU",
  mss: "MSS",
  ack: "ACK",
  kmin: "Kmin",
  kmax: "Kmax",
  pmax: "Pmax",
  mac: "MAC",
  phy: "PHY",
  macsec: "MACsec",
  cnp: "CNP",
  nack: "NACK",
  nic: "NIC",
  nics: "NICs",
  pg: "PG",
  asic: "ASIC",
  ecn: "ECN",
  pfc: "PFC",
  voq: "VOQ",
};

/** Fractions that people write as percentages. */
const shares = new Set([
  "utilisation",
  "target_utilisation",
  "load",
  "pmax",
  "probability",
  "lossless_share",
  "unscheduled",
]);

/** Queues and thresholds, which a scenario takes in packets as well. */
const inPackets = new Set(["buffer", "threshold", "kmin", "kmax", "target"]);

/** Labels of names that are unclear by themselves. */
const spelt: Record<string, string> = {
  g: "Gain of α",
  t_low: "Low RTT threshold",
  t_high: "High RTT threshold",
  cv: "Coefficient of variation",
  // Dynamic-threshold policies.
  within: "Counting timer",
  longest: "Longest burst",
  nearest: "Bursts averaged",
  near: "Congested above",
  least: "Minimum drain rate",
  recent: "Small-flow limit",
  idle: "Idle time",
  or_equal: "Include equal keys",
  at_least_dynamic: "Never below DT",
  faithful: "As in the listing",
  // Topologies and runs.
  partners: "Receivers",
  watched: "Measured ports",
  links_down: "Failed links",
  feed: "Feed rate",
  memories: "Memory sampling interval",
  series: "Length of windows",
  quanta: "Pause quanta",
  over_subscribe_ratio: "Oversubscription ratio",
  stop: "Stop time",
  cards: "Line cards",
};

/** A field's name in words: "min_rto" becomes "Min RTO". */
export function label(name: string): string {
  const known = spelt[name];
  if (known !== undefined) return known;
  const words = name.split("_").map((word) => acronyms[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Choices whose name needs more than its underscores taken away. */
const choices: Record<string, string> = {
  sih: "SIH",
  dsh: "DSH",
  ieee: "IEEE",
  sonic: "SONiC",
  linux: "Linux",
  rfc: "RFC",
  rfc5681: "RFC 5681",
  ip: "IP",
  powertcp: "PowerTCP",
  theta: "θ-PowerTCP",
  both_tors: "both ToRs",
  one_tor: "one ToR",
  nics: "NICs",
  newreno: "NewReno",
  cubic: "CUBIC",
  bbr: "BBR",
  dctcp: "DCTCP",
  dcqcn: "DCQCN",
  hpcc: "HPCC",
  ictcp: "ICTCP",
  timely: "TIMELY",
  swift: "Swift",
  edt: "EDT",
  fab: "FAB",
  abm: "ABM",
  smartbuf: "Smartbuf",
  red: "RED",
  pi: "PI",
  voq: "VOQ",
  sack: "SACK",
  prr: "PRR",
  on_off: "on/off",
  go_back_n: "go-back-N",
};

/** One of a field's choices in words: "other_racks" is "other racks". */
export const choiceLabel = (choice: string): string => choices[choice] ?? choice.replaceAll("_", " ");

/** What an empty field means: a value that follows from the others, or nothing. */
export const absentWord = ({ description }: Pick<Field, "description">): "automatic" | "none" =>
  /(^|[;.] )none (keeps|runs|reports|counts|switches|begins|leaves|goes|puts|sets|records)\b/i.test(description)
    ? "none"
    : "automatic";

/** The field's description in the words of the form, which writes "automatic" where a document has nothing. */
export const aboutField = (field: Pick<Field, "description">): string =>
  absentWord(field) === "none"
    ? field.description
    : field.description.replace(
        /(^|[;.] )([Nn])one (?=[a-z]+s\b|\d)/g,
        (_, before: string, first: string) => `${before}${first === "N" ? "Automatic" : "automatic"} `,
      );

/** The schema a `$ref` points to, with the referring node's own keys on top. */
export function resolve(node: JsonObject, root: JsonObject): JsonObject {
  const reference = node.$ref;
  if (typeof reference !== "string") return node;
  let target: Json | undefined = root;
  for (const step of reference.replace(/^#\//, "").split("/")) target = isObject(target) ? target[step] : undefined;
  const own = Object.fromEntries(Object.entries(node).filter(([key]) => key !== "$ref"));
  return isObject(target) ? { ...resolve(target, root), ...own } : own;
}

/** The alternatives of a node, nested `anyOf` flattened. */
function branches(node: JsonObject, root: JsonObject): JsonObject[] {
  const own = resolve(node, root);
  const options = own.anyOf ?? own.oneOf;
  return Array.isArray(options) ? options.filter(isObject).flatMap((option) => branches(option, root)) : [own];
}

/** Every bound found on the node or on one of its alternatives, under either spelling. */
function boundsOf(node: JsonObject): Bounds {
  const bounds: Bounds = {};
  const visit = (item: Json | undefined) => {
    if (!isObject(item)) return;
    const read = (key: keyof Bounds, ...spellings: string[]) => {
      const value = spellings.map((spelling) => item[spelling]).find((found) => typeof found === "number");
      if (typeof value === "number") bounds[key] = value;
    };
    read("gt", "exclusiveMinimum", "gt");
    read("ge", "minimum", "ge");
    read("lt", "exclusiveMaximum", "lt");
    read("le", "maximum", "le");
    for (const option of Array.isArray(item.anyOf) ? item.anyOf : []) visit(option);
  };
  visit(node);
  return bounds;
}

/** An alternative that is one word, such as any_lossless instead of the number of a class. */
const isWord = ({ type, const: word }: JsonObject) => type === "string" && typeof word === "string";

function typeOf(axis: string, alternatives: JsonObject[], axes: ReadonlySet<string>): FieldType {
  if (axes.has(axis)) return "component";
  const types = new Set(alternatives.map((option) => option.type));
  if (alternatives.some((option) => Array.isArray(option.enum))) return "choice";
  if (types.has("object") && alternatives.some((option) => isObject(option.properties))) return "group";
  // A list that may also be written as text, such as 32x100G@300m, is.
  if (types.has("array") && types.has("string")) return "text";
  if (
    alternatives.some((option) => option.type === "array" && isObject(option.items) && option.items.type === "integer")
  )
    return "integers";
  if (types.has("array") || types.has("object")) return "json";
  if (alternatives.some(isWord) && types.has("integer")) return "integer";
  if (types.has("string") && types.has("number")) return "quantity";
  if (types.has("number")) return "number";
  if (types.has("integer")) return "integer";
  if (types.has("boolean")) return "boolean";
  return types.has("string") ? "text" : "json";
}

/** The fields of an object's schema in their order, `kind` left out. */
export function fieldsOf(schema: JsonObject, root: JsonObject, axes: ReadonlySet<string>): Field[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, raw]): Field[] => {
    if (!isObject(raw) || name === "kind") return [];
    const node = resolve(raw, root);
    const all = branches(raw, root);
    const alternatives = all.filter((option) => option.type !== "null");
    const group = alternatives.find((option) => isObject(option.properties));
    const options = alternatives.flatMap((option) => (Array.isArray(option.enum) ? option.enum : []));
    const text = (key: string) => (typeof node[key] === "string" ? node[key] : "");
    const axis = text("axis") || name;
    return [
      {
        name,
        label: label(name),
        type: typeOf(axis, alternatives, axes),
        axis,
        list: alternatives.some((option) => option.type === "array"),
        packets: inPackets.has(name),
        description: text("description"),
        unit: text("unit"),
        symbol: text("symbol"),
        share: text("unit") === "1" && shares.has(name),
        source: text("source"),
        advanced: node.advanced === true,
        required: required.includes(name),
        nullable: alternatives.length < all.length,
        default: node.default,
        options: options.filter((option) => typeof option === "string"),
        words: alternatives.filter(isWord).map((option) => option.const as string),
        bounds: boundsOf(node),
        ...(group === undefined ? {} : { schema: group }),
      },
    ];
  });
}

/** Why a number is out of bounds, or undefined when it is inside. `show` writes a bound as a person does. */
export function outside(
  value: number,
  { gt, ge, lt, le }: Bounds,
  show: (value: number) => string,
): string | undefined {
  if (gt !== undefined && !(value > gt)) return `must be above ${show(gt)}`;
  if (ge !== undefined && !(value >= ge)) return `must be at least ${show(ge)}`;
  if (lt !== undefined && !(value < lt)) return `must be below ${show(lt)}`;
  if (le !== undefined && !(value <= le)) return `must be at most ${show(le)}`;
  return undefined;
}

/** The schema with these fields only, in this order; names it does not have are left out. */
export function pick(schema: JsonObject, names: readonly string[]): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const kept = names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]]));
  return { ...schema, properties: Object.fromEntries(kept) as JsonObject };
}

/** Names of an object schema's fields. */
export const namesOf = (schema: JsonObject): string[] =>
  isObject(schema.properties) ? Object.keys(schema.properties) : [];

/** The schema with other defaults for some of its fields. */
export function withDefaults(schema: JsonObject, defaults: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const changed = Object.entries(properties).map(([name, field]) => [
    name,
    isObject(field) && defaults[name] !== undefined ? { ...field, default: defaults[name] } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(changed) as JsonObject };
}

/** The schema with what the profile that `value` names sets, in place of its own defaults. */
export function profiled(schema: JsonObject, value: Json | undefined): JsonObject {
  const chosen = isObject(value) ? value.profile : undefined;
  const profiles = Array.isArray(schema.profiles) ? schema.profiles.filter(isObject) : [];
  const values = profiles.find(({ id }) => id === chosen)?.values;
  return isObject(values) ? withDefaults(schema, values) : schema;
}

/** Units of bare numbers by the name of their field, from every schema within a document. */
export function unitsIn(document: Json | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (part: Json | undefined) => {
    if (Array.isArray(part)) part.forEach(visit);
    if (!isObject(part)) return;
    for (const [name, inner] of Object.entries(part)) {
      if (isObject(inner) && typeof inner.unit === "string" && !found.has(name)) found.set(name, inner.unit);
      visit(inner);
    }
  };
  visit(document);
  return found;
}
