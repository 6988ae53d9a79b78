import { useMemo, useState } from "react";

import classes from "./values.module.css";
import { copyText } from "@/lib/browser";
import { inOrder } from "@/lib/csv";
import { columnsOf, type Quantity } from "@/lib/metrics";
import { bufferOf, engineRank, type Point } from "@/lib/points";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { saying } from "@/lib/saying";
import { EngineMark } from "@/plot/EngineMark";

type Props = { points: Point[]; engines: string[]; quantities: Quantity[]; buffer: number | undefined };
type Sort = { by: string; descending: boolean };

/** The numbers behind the curves, one row per buffer size and engine. */
export function ValuesTable({ points, engines, quantities: drawn, buffer }: Props) {
  const quantities = useMemo(() => drawn.flatMap(columnsOf), [drawn]);
  const [sort, setSort] = useState<Sort>({ by: "buffer", descending: false });
  const [copied, setCopied] = useState(false);
  const rows = useMemo(() => {
    const shown = inOrder(points.filter(({ result }) => engines.includes(result.engine)));
    const key = (point: Point) => keyOf(point, sort.by, quantities);
    const sign = sort.descending ? -1 : 1;
    return sort.by === "buffer" && !sort.descending ? shown : shown.toSorted((a, b) => sign * (key(a) - key(b)));
  }, [points, engines, quantities, sort]);
  const columns = [
    { id: "buffer", title: "Buffer" },
    { id: "engine", title: "Engine" },
    ...quantities.map(({ id, title }) => ({ id, title: title.split(",")[0] ?? title })),
  ];
  const copy = () => {
    void copyText(tabbed(rows, quantities)).then(() => {
      setCopied(true);
    });
  };
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <span>{rows.length} values</span>
        <button
          type="button"
          className={classes.copy}
          onClick={copy}
          onBlur={() => {
            setCopied(false);
          }}
        >
          {copied ? "Copied" : "Copy as a table"}
        </button>
      </div>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ id, title }) => (
              <th
                key={id}
                scope="col"
                aria-sort={sort.by === id ? (sort.descending ? "descending" : "ascending") : "none"}
              >
                <button
                  type="button"
                  onClick={() => {
                    setSort({ by: id, descending: sort.by === id && !sort.descending });
                  }}
                >
                  {title}
                  <span aria-hidden="true">{sort.by === id ? (sort.descending ? " ↓" : " ↑") : ""}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <Row
              key={`${point.result.engine}:${bufferOf(point) ?? 0}`}
              point={point}
              quantities={quantities}
              current={isNear(bufferOf(point), buffer)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ point, quantities, current }: { point: Point; quantities: Quantity[]; current: boolean }) {
  const { engine, metrics, intervals } = point.result;
  return (
    <tr data-current={current}>
      <th scope="row">{formatQuantity(bufferOf(point) ?? 0, "B")}</th>
      <td>
        <span className={classes.engine}>
          <EngineMark engine={engine} />
          {engine}
        </span>
      </td>
      {quantities.map(({ id, metric, scale, unit }) => {
        const value = metrics[metric];
        const interval = intervals[metric]?.map((end) => end * scale);
        const ends = interval?.map((end) => formatMetric(id, end, unit));
        return (
          <td
            key={id}
            title={ends === undefined ? undefined : `95 %: ${ends.join(" to ")}`}
            {...saying(engine, id, bufferOf(point) ?? 0)}
          >
            {value === undefined ? "–" : formatMetric(id, value * scale, unit, interval?.[1])}
          </td>
        );
      })}
    </tr>
  );
}

const isNear = (size: number | undefined, buffer: number | undefined) =>
  size !== undefined && buffer !== undefined && Math.abs(Math.log(size / buffer)) < 0.01;

function keyOf(point: Point, by: string, quantities: Quantity[]): number {
  if (by === "buffer") return bufferOf(point) ?? 0;
  if (by === "engine") return engineRank(point.result.engine);
  const metric = quantities.find(({ id }) => id === by)?.metric ?? by;
  return point.result.metrics[metric] ?? -Infinity;
}

/** Tab-separated, SI base units: what a spreadsheet takes. */
function tabbed(rows: Point[], quantities: Quantity[]): string {
  const head = ["buffer [B]", "engine", ...quantities.map(({ id, unit }) => `${id} [${unit}]`)];
  const body = rows.map((point) => [
    bufferOf(point) ?? "",
    point.result.engine,
    ...quantities.map(({ metric, scale }) => {
      const value = point.result.metrics[metric];
      return value === undefined ? "" : value * scale;
    }),
  ]);
  return [head, ...body].map((cells) => cells.join("\t")).join("\n");
}
