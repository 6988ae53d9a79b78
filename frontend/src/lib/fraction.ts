/** Objectives as a person types them: "99 %", "0.1%", "0.001", or a quantity with its unit. */
import { significant } from "@/lib/number";
import { SHARES } from "@/lib/objectives";
import { examplesOf, fieldText, parseQuantity, type Unit } from "@/lib/quantity";

export function showObjective(metric: string, value: number, unit: string): string {
  if (!SHARES.has(metric)) return unit === "1" ? String(value) : fieldText(value, unit);
  return `${Number((value * 100).toPrecision(10))} %`;
}

/** The value meant by the text, or undefined when it means nothing here. */
export function readObjective(metric: string, text: string, unit: string): number | undefined {
  const share = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*%\s*$/i.exec(text);
  if (SHARES.has(metric)) {
    const value = share === null ? Number(text) : Number(share[1]) / 100;
    return text.trim() !== "" && value >= 0 && value <= 1 ? value : undefined;
  }
  const parsed = parseQuantity(text, unit as Unit);
  return "value" in parsed && parsed.value >= 0 ? parsed.value : undefined;
}

/** What may be typed as an objective. */
export const wantedObjective = (metric: string, unit: string): string =>
  SHARES.has(metric) ? "give a percentage from 0 to 100 %" : `give a value such as ${examplesOf(unit as Unit)}`;

/** How far a number is from another, in words: "3.2× as much". */
export function compare(value: number, reference: number): string {
  const ratio = value / reference;
  if (Math.abs(ratio - 1) < 0.02) return "the same";
  return ratio > 1 ? `${significant(ratio, 2)}× more` : `${significant(1 / ratio, 2)}× less`;
}
