/** Columns of numbers as a table shows them: many rows are joined into few without losing a peak. */

/** Which value represents several in one row; by default the last. */
export type Join = "most" | "least" | "sum";
export type Column = { title: string; unit: string; values: readonly (number | string | null)[]; join?: Join };

/** The value of the rows `from` to, not including, `to`. */
export function joinedValue({ values, join }: Column, from: number, to: number): number | string | null {
  const last = values[Math.min(to, values.length) - 1] ?? null;
  if (join === undefined) return last;
  const numbers = values.slice(from, to).filter((value) => typeof value === "number");
  if (numbers.length === 0) return last;
  if (join === "sum") return numbers.reduce((sum, value) => sum + value, 0);
  return join === "most" ? Math.max(...numbers) : Math.min(...numbers);
}
