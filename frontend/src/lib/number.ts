/** How numbers are shown: three significant digits, tabular, never in a form that hides their size. */

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `value` with three significant digits; very large and very small numbers as a power of ten. */
export function significant(value: number, digits = 3): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  if (magnitude < -3 || magnitude >= 6) {
    const mantissa = (rounded / 10 ** magnitude).toFixed(digits - 1);
    return `${mantissa === "1" ? "" : `${mantissa}·`}10${superscript(magnitude)}`;
  }
  return rounded.toFixed(Math.max(0, digits - 1 - magnitude));
}

function superscript(power: number): string {
  const digits = String(Math.abs(power)).replace(/\d/g, (digit) => superscripts.charAt(Number(digit)));
  return power < 0 ? `⁻${digits}` : digits;
}

/** A fraction as a percentage. Close to 1 the digits that matter are those of what is missing, at most six decimals. */
export function percent(value: number): string {
  if (value === 0) return "0 %";
  const missing = 1 - value;
  if (missing >= 5e-9 && missing < 0.1) {
    const decimals = Math.min(6, Math.max(1, Math.ceil(-Math.log10(missing)) - 1));
    return `${(value * 100).toFixed(decimals)} %`;
  }
  return `${significant(value * 100)} %`;
}

/** How many times one number is another: "12×", "0.4×". */
export function times(ratio: number): string {
  return `${significant(ratio, 2)}×`;
}

/** Whole numbers with narrow spaces that do not break between thousands. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A sentence in which no line ends between a number and its unit, or between a symbol and what it equals. */
export const unbroken = (text: string): string =>
  text
    .replace(/(\d) (?=(?:[kMGT]?B|[kMGT]?b\/s|[mµn]?s|k?m|%|:1)(?![\w/]))/g, "$1\u00a0")
    .replace(/([αβρ]) ([=≥≤]) (?=\d)/g, "$1\u00a0$2\u00a0");

/** Seconds in words for a person waiting: "4 s", "2 min 5 s". */
export function duration(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What is expected to take so long: "about 3 s", "under 1 s". */
export const roughly = (seconds: number) => (seconds < 1 ? duration(seconds) : `about ${duration(seconds)}`);

/** Bytes to the bit, with narrow spaces that do not break between thousands: "156 840 B". */
export function exactBytes(bytes: number): string {
  const [whole = "", part] = String(Math.abs(Math.round(bytes * 8) / 8)).split(".");
  const text = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  return `${bytes < 0 ? "−" : ""}${text}${part === undefined ? "" : `.${part}`} B`;
}
