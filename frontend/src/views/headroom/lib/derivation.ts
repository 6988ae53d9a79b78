/** A headroom line by line, to be put into a review or a spreadsheet. */
import { exactBytes } from "@/lib/number";

type Line = { name: string; bytes: number; formula: string; source: string; part: string };
type Scheme = {
  title: string;
  headroom: number;
  formula: string;
  holds: string;
  departures: string;
  lines: Line[];
  notes: string[];
};

/** Markdown: the formula, a table of the lines, where it holds. */
export function derivationText(link: string, scheme: Scheme): string {
  const { title, headroom, formula, holds, departures, lines, notes } = scheme;
  return [
    `${title}: ${exactBytes(headroom)} for ${link}`,
    "",
    formula,
    "",
    "| line | bytes | formula | source |",
    "|---|--:|---|---|",
    ...lines.map((line) => `| ${line.name} | ${exactBytes(line.bytes)} | ${line.formula} | ${line.source} |`),
    `| **headroom** | **${exactBytes(headroom)}** | | |`,
    "",
    `Holds: ${holds}. Caveats: ${departures}.`,
    ...notes.map((note) => `Note: ${note}.`),
    "",
  ].join("\n");
}

/** Every line of every scheme, bytes as bare numbers. */
export function derivationCsv(schemes: Record<string, Scheme>): string {
  const rows = Object.entries(schemes).flatMap(([name, { lines }]) =>
    lines.map((line) => [name, line.name, line.bytes, line.part, line.formula, line.source]),
  );
  return [["scheme", "line", "bytes", "part", "formula", "source"], ...rows]
    .map((row) => row.map(cell).join(","))
    .join("\n")
    .concat("\n");
}

// Text that begins as a formula does would be run by a spreadsheet: an apostrophe makes it plain.
const inert = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const cell = (value: string | number) => (typeof value === "number" ? String(value) : written(inert(value)));
const written = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
