/** Smallest buffers under several congestion controls: the answer in words, and as a table. */
import type { Schema } from "@/contract";
import { formatQuantity } from "@/lib/quantity";

/** The smallest buffer under one control, for one number of flows, by one engine, as the API tells it. */
export type ControlsRow = Schema<"ControlsRow">;

/** A rule of thumb at one number of flows. */
export type ControlsRule = Schema<"ControlsRule">;

/** Engines in the order in which a sentence prefers them. */
const PREFERRED = ["packet", "fluid", "theory"];
export const MODELS: Record<string, string> = {
  theory: "closed form",
  fluid: "fluid model",
  packet: "packets",
};
/** Buffers closer than this by ratio are called alike. */
const ALIKE = 1.2;

/** A value within what its model holds for. */
export const trusted = (row: ControlsRow) => row.value !== null && row.outside === "";

export type ControlsFinding = {
  value: string;
  note: string;
  before: string;
  after: string;
};

/** Whether the control changes the buffer, by the first engine that knows two controls; undefined where none does. */
export function findingOf(
  rows: readonly ControlsRow[],
  target: string,
  flows: number | null,
): ControlsFinding | undefined {
  const here = rows.filter((row) => row.flows === flows && !row.control.includes("+"));
  const engine = PREFERRED.find((name) => here.filter((row) => row.engine === name && trusted(row)).length > 1);
  if (engine === undefined) return undefined;
  const own = here.filter((row) => row.engine === engine);
  const told = own.filter(trusted).toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const [least, most] = [told[0], told.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const [low, high] = [least.value ?? 0, most.value ?? 0];
  const ratio = high / low;
  const where = flows === null ? "" : ` with ${flows} ${flows === 1 ? "flow" : "flows"}`;
  const missed = own.filter(({ status }) => status === "missed").map(({ title }) => title);
  const unsure = own.filter((row) => row.value !== null && row.outside !== "").map(({ title }) => title);
  const named = (known: readonly ControlsRow[]) => sizesOf(here, engine, known);
  const rest = [
    missed.length > 0 ? ` No buffer is found for ${listed(missed)}.` : "",
    unsure.length > 0 ? ` Outside the model's validity: ${listed(unsure)}.` : "",
  ].join("");
  const by = `by the ${MODELS[engine] ?? engine}`.replace("the packets", "packets");
  if (ratio <= ALIKE)
    return {
      value: formatQuantity(high, "B"),
      note: "under every control",
      before: `No. For ${target}${where}, ${told.length} controls need about the same buffer:`,
      after: `${by}.${named([])}${rest}`,
    };
  return {
    value: `${Number(ratio.toPrecision(2))} times`,
    note: `more for ${most.title} than for ${least.title}`,
    before: "Yes, up to",
    after:
      `: for ${target}${where}, ${least.title} needs ${formatQuantity(low, "B")} and ${most.title} ` +
      `${formatQuantity(high, "B")} ${by}.${named([least, most])}${rest}`,
  };
}

/** Controls that the question is about, whichever need least and most. */
const ASKED = /^(cubic|dctcp|bbr\d*)$/;

/** " DCTCP needs 437 kB.": the controls asked about that have a size and are not among `told`, each by one engine. */
function sizesOf(rows: readonly ControlsRow[], engine: string, told: readonly ControlsRow[]): string {
  const asked = new Set(rows.map(({ control }) => control).filter((control) => ASKED.test(control)));
  const sizes = [...asked].flatMap((control) => {
    const all = rows.filter((row) => row.control === control);
    const own = all.find((row) => row.engine === engine);
    // What the engine of the sentence answers of a control counts, also that there is no buffer or no validity.
    const answered = own !== undefined && (own.value !== null || own.status === "missed");
    const row = answered ? own : PREFERRED.map((name) => all.find((one) => one.engine === name)).find(isTrusted);
    if (!isTrusted(row) || told.some((one) => one.control === control)) return [];
    const by =
      row.engine === engine ? "" : ` by the ${MODELS[row.engine] ?? row.engine}`.replace("the packets", "packets");
    return [`${row.title} needs ${formatQuantity(row.value ?? 0, "B")}${by}`];
  });
  return sizes.length === 0 ? "" : ` ${listed(sizes)}.`;
}

const isTrusted = (row: ControlsRow | undefined): row is ControlsRow => row !== undefined && trusted(row);

export const listed = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

/** One line per row, SI base units, with the columns of `footroom controls --csv`. */
export function csvOf(rows: readonly ControlsRow[], rules: readonly ControlsRule[]): string {
  const cell = (value: string | number | null | undefined) => {
    const text = String(value ?? "");
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    ["control", "flows", "engine", "status", "buffer [B]", "buffer_low [B]", "buffer_high [B]", "binding", "remark"],
    ...rows.map((row) => [
      row.control,
      row.flows,
      row.engine,
      row.status,
      row.value,
      row.interval?.[0],
      row.interval?.[1],
      row.binding,
      row.outside === "" ? row.reason : row.outside,
    ]),
    ...rules.map((rule) => [
      rule.name,
      rule.flows,
      "rule",
      "found",
      rule.value,
      "",
      "",
      "",
      rule.valid ? "" : rule.holds,
    ]),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\n`).join("");
}
