/** What a text field shows for a value, what its text means, and where the arrow keys take it. */
import type { Json } from "@/lib/path";
import { examplesOf, fieldText, formatQuantity, parseQuantity, type Unit } from "@/lib/quantity";
import { outside, type Field } from "@/lib/schema";

/** Text for a value; numbers get the prefix that suits them, text stays as it was written. */
export function showValue(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && field.share) return shareText(value);
  if (typeof value === "number") return field.type === "quantity" ? fieldText(value, field.unit) : String(value);
  if (typeof value === "string") return value;
  return field.type === "integers" && Array.isArray(value)
    ? value.map((one) => JSON.stringify(one)).join(", ")
    : JSON.stringify(value);
}

/** A part of a whole as it is written into a field: "99 %". */
const shareText = (value: number) => `${Number((value * 100).toPrecision(10))} %`;

/** A number of this field as a person writes it. */
export function showNumber({ unit, share }: Pick<Field, "unit" | "share">, value: number): string {
  if (share) return shareText(value);
  const exact = fieldText(value, unit);
  return exact === String(value) ? formatQuantity(value, unit) : exact;
}

export type Read = { value: Json | undefined } | { error: string };

/** The unit that a text ends in, as it is written; empty for a bare number. */
export function unitOf(text: string): string {
  if (isBare(text)) return "";
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*([^\d\s.].*?)\s*$/.exec(text)?.[1] ?? "";
}

/**
 * The value of a field's text. Empty text is the default; a bare number is in `usual`, or needs a unit if there is
 * none.
 */
export function readValue(field: Field, written: string, usual = ""): Read {
  const text =
    field.type === "quantity" && field.unit !== "1" && isBare(written) ? `${written.trim()} ${usual}`.trim() : written;
  // Who deletes the number leaves its unit standing.
  const trimmed = usual !== "" && text.trim() === usual ? "" : text.trim();
  if (field.type === "text") return { value: trimmed === "" && !field.required ? undefined : trimmed };
  if (trimmed === "") return field.required ? { error: `enter the ${field.label}` } : { value: undefined };
  if (field.words.includes(trimmed)) return { value: trimmed };
  if (field.type === "integers") return integersIn(trimmed);
  const unit = field.type === "quantity" ? (field.unit as Unit) : "1";
  const percent = field.share ? /^(.*\d)\s*%$/.exec(trimmed)?.[1] : undefined;
  if (percent !== undefined) return readShare(field, percent);
  if (field.share && isBare(trimmed) && outside(Number(trimmed), field.bounds, String) !== undefined)
    return readShare(field, trimmed);
  const parsed = parseQuantity(trimmed, unit, { packets: field.packets });
  if ("error" in parsed) return parsed;
  if (field.type === "quantity" && unit !== "1" && isBare(trimmed) && parsed.value !== 0)
    return { error: `add a unit: ${examplesOf(unit)}` };
  if (field.type === "integer" && !Number.isInteger(parsed.value)) return { error: "a whole number is expected here" };
  const problem =
    parsed.unit === unit ? outside(parsed.value, field.bounds, (bound) => showNumber(field, bound)) : undefined;
  if (problem !== undefined) return { error: problem };
  return { value: /[a-zµμ]/i.test(trimmed.replace(/e[+-]?\d+/i, "")) ? trimmed : parsed.value };
}

/** Whole numbers separated by commas or spaces; the server says which are accepted. */
function integersIn(text: string): Read {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (!parts.every((part) => /^\d{1,9}$/.test(part)))
    return { error: "write whole numbers separated by commas, such as 3, 4" };
  return { value: parts.map(Number) };
}

/**
 * A percentage. Without its sign, a number is the fraction that the API and the command line take where the field
 * accepts
 * that fraction, and a percentage otherwise: 0.9 is 90 %, and so is 90.
 */
function readShare(field: Field, text: string): Read {
  const parsed = parseQuantity(text, "1");
  if ("error" in parsed) return { error: "write a percentage such as 99 %, or a fraction such as 0.99" };
  const value = Number((parsed.value / 100).toPrecision(12));
  const problem = outside(value, field.bounds, (bound) => showNumber(field, bound));
  return problem === undefined ? { value } : { error: problem };
}

const isBare = (text: string) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** Text after one arrow key: whole numbers by one, the rest along 1, 2, 5, 10; undefined where the field ends. */
export function stepValue(field: Field, text: string, direction: 1 | -1, usual = ""): string | undefined {
  if (field.type === "text" || field.type === "integers") return undefined;
  const match = /^\s*([\d.]+(?:e[+-]?\d+)?)(.*)$/i.exec(text);
  const number = Number(match?.[1]);
  if (match === null || !Number.isFinite(number)) return undefined;
  const next = field.type === "integer" ? number + direction : preferred(number, direction);
  const stepped = `${next}${match[2] ?? ""}`;
  return "error" in readValue(field, stepped, usual) ? undefined : stepped;
}

/** The next number of the series 1, 2, 5, 10, 20, … */
function preferred(number: number, direction: 1 | -1): number {
  if (number <= 0) return number;
  const power = Math.floor(Math.log10(number) + 1e-9);
  const series = [0.5, 1, 2, 5, 10, 20].map((factor) => Number((factor * 10 ** power).toPrecision(3)));
  const beyond =
    direction === 1
      ? series.find((value) => value > number * 1.0001)
      : series.findLast((value) => value < number * 0.9999);
  return beyond ?? number;
}

/** Typing over the number leaves the old unit standing; once a new unit is begun ("64 Ki kB"), the old one goes. */
export function withoutOldUnit(field: Field, text: string, before: string): string {
  const old = /\s*[a-zµμ].*$/i.exec(before.replace(/^(\s*[\d.]+)e/i, "$1"))?.[0];
  if (field.type !== "quantity" || old === undefined || !text.endsWith(old)) return text;
  const typed = text.slice(0, -old.length);
  // A lone e begins an exponent, not a unit.
  return /\d\s*[a-zµμ/]+$/i.test(typed) && !/\de$/i.test(typed) ? typed : text;
}
