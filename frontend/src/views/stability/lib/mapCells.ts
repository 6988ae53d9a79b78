/** A map put together piece by piece: first some cells across all of it, then row after row. */
import type { Schema } from "@/contract";

export type Cell = {
  /** Real part of the rightmost root, 1/s; null without a verdict. */
  growth: number | null;
  /** Queue in equilibrium, B. */
  queue: number | null;
  stable: boolean | null;
  /** Why there is no verdict; empty where there is one. */
  reason: string;
};

/** Indices of columns and rows that are asked for at once. */
export type Piece = { columns: number[]; rows: number[] };

export type MapAnswer = Schema<"MapDocument">;

export type Cells = (Cell | undefined)[][];

const SKETCH = 10;
/** So many cells take the server some 100 ms. */
const BLOCK = 160;

/** Evenly spread indices, both ends included. */
export function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
}

/** A sketch of the whole map, then blocks of whole rows from the first to the last. */
export function piecesOf(columns: number, rows: number): Piece[] {
  const all = Array.from({ length: columns }, (_, i) => i);
  const each = Math.max(1, Math.floor(BLOCK / columns));
  const blocks = Array.from({ length: Math.ceil(rows / each) }, (_, i) => ({
    columns: all,
    rows: Array.from({ length: Math.min(each, rows - i * each) }, (_, k) => i * each + k),
  }));
  return columns * rows <= BLOCK
    ? blocks
    : [{ columns: spread(columns, SKETCH), rows: spread(rows, SKETCH) }, ...blocks];
}

export const noCells = (columns: number, rows: number): Cells =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => undefined));

/** The cells with those of a piece filled in. */
export function withPiece(cells: Cells, { columns, rows }: Piece, answer: MapAnswer): Cells {
  const next = [...cells];
  rows.forEach((row, i) => {
    const own = [...(next[row] ?? [])];
    columns.forEach((column, j) => {
      own[column] = {
        growth: answer.rightmost[i]?.[j] ?? null,
        queue: answer.queue[i]?.[j] ?? null,
        stable: answer.stable[i]?.[j] ?? null,
        reason: "",
      };
    });
    next[row] = own;
  });
  for (const [reason, places] of Object.entries(answer.reasons)) {
    for (const [i = -1, j = -1] of places) {
      const cell = next[rows[i] ?? -1]?.[columns[j] ?? -1];
      if (cell !== undefined) cell.reason = reason;
    }
  }
  return next;
}

const closest = (known: number[], at: number) =>
  known.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best), known[0] ?? 0);

/** Every cell, those not answered yet as the nearest of the sketch; undefined while there is no sketch. */
export function sketched(cells: Cells): Cell[][] | undefined {
  const width = cells[0]?.length ?? 0;
  const [rows, columns] = [spread(cells.length, SKETCH), spread(width, SKETCH)];
  const found: Cell[][] = [];
  for (const [i, row] of cells.entries()) {
    const near = cells[closest(rows, i)];
    const filled: Cell[] = [];
    for (let j = 0; j < width; j++) {
      const cell = row[j] ?? near?.[closest(columns, j)];
      if (cell === undefined) return undefined;
      filled.push(cell);
    }
    found.push(filled);
  }
  return found;
}

/** Whether every cell is answered. */
export const isWhole = (cells: Cells) => cells.every((row) => row.every((cell) => cell !== undefined));

/** Rows and columns between which a border can be drawn: all of them, or those of the sketch. */
export function borderGrid(cells: Cells): { rows: number[]; columns: number[] } {
  const whole = isWhole(cells);
  const [height, width] = [cells.length, cells[0]?.length ?? 0];
  return { rows: spread(height, whole ? height : SKETCH), columns: spread(width, whole ? width : SKETCH) };
}

/** Index of the value nearest to another by ratio. */
export function nearestIndex(values: readonly number[], value: number): number {
  const off = (one: number) => Math.abs(Math.log(one / value));
  return values.reduce((best, one, i) => (off(one) < off(values[best] ?? one) ? i : best), 0);
}
