import type { HeadroomLine, SchemeAnswer } from "@/api/headroom";

/** What a scheme is called, with the form of its formula where it has several. */
export const titleOf = ({ title, form }: SchemeAnswer): string =>
  form === undefined ? title : `${title}, form ${form.name}`;

/** A line of a scheme that is pointed at, in the bars or in the table. */
export type Pointed = { scheme: string; line: number } | undefined;

/** What a line pays for, in the order in which a bar stacks them, and what it is called. */
export const PARTS: Record<string, string> = {
  frames: "Frames",
  cable: "Cable",
  reaction: "Reaction",
  cells: "Part-empty cells",
  extra: "Extra",
  rounding: "Rounding",
};

const order = Object.keys(PARTS);

/** Lines with their places in the table, in the order of the parts. */
export function stacked(lines: HeadroomLine[]): { line: HeadroomLine; index: number }[] {
  return lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => order.indexOf(a.line.part) - order.indexOf(b.line.part) || a.index - b.index);
}
