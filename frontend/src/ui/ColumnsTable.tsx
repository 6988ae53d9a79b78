import { useMemo, useState } from "react";

import classes from "./columns.module.css";
import { copyText } from "@/lib/browser";
import { joinedValue, type Column } from "@/lib/columns";
import { formatQuantity } from "@/lib/quantity";

type Props = {
  /** Spoken name of the table. */
  label: string;
  /** What the rows are called by, such as the ends of steps. */
  rows: Column;
  columns: readonly Column[];
};

/** More rows than this are not read one by one; they can be copied. */
const MOST = 250;

/** The numbers behind a plot, a row per step; all of them can be copied. */
export function ColumnsTable({ label, rows, columns }: Props) {
  const [copied, setCopied] = useState(false);
  const count = rows.values.length;
  const stride = Math.max(1, Math.ceil(count / MOST));
  const shown = useMemo(() => Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride), [count, stride]);
  const kept = columns.some(({ join }) => join !== undefined);
  const show = (column: Column, i: number, digits = 3) => {
    // Where nothing says how rows are joined, one of them stands for the rest.
    const value = kept ? joinedValue(column, i, i + stride) : column.values[i];
    if (value === null || value === undefined) return "–";
    return typeof value === "string" ? value : formatQuantity(value, column.unit, digits);
  };
  const copy = () => {
    const all = [rows, ...columns];
    const text = [
      all.map(({ title, unit }) => (unit === "1" ? title : `${title} [${unit}]`)).join("\t"),
      ...rows.values.map((_, i) => all.map(({ values }) => values[i] ?? "").join("\t")),
      "",
    ].join("\n");
    void copyText(text).then(() => {
      setCopied(true);
    });
  };
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <span>
          {stride === 1
            ? `${count} rows`
            : kept
              ? `${count} steps, ${stride} per row, as maximum, minimum or sum`
              : `Every ${stride}th of ${count} rows`}
        </span>
        <button
          type="button"
          onClick={copy}
          onBlur={() => {
            setCopied(false);
          }}
        >
          {copied ? "Copied" : stride === 1 ? "Copy as a table" : "Copy all"}
        </button>
      </div>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {[rows, ...columns].map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((i) => (
            <tr key={i}>
              <th scope="row">{show(rows, i, 4)}</th>
              {columns.map((column) => (
                <td key={column.title}>{show(column, i)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
