import classes from "./compare.module.css";
import type { Compared } from "@/views/compare/state/useSlots";
import type { MetricInfo } from "@/lib/metrics";
import { titleOf } from "@/lib/metrics";
import { difference, type Measured } from "@/lib/compare";
import { formatMetric, formatQuantity } from "@/lib/quantity";

type Props = { compared: Compared[]; metrics: Record<string, MetricInfo> };

const ROWS = [
  "utilisation",
  "drop_rate",
  "queue_mean",
  "queue_p99",
  "queue_max",
  "throughput",
  "fairness",
  "fct_mean",
  "fct_p99",
  "qct_mean",
  "qct_p99",
  "timeouts",
];
const WORDS = { better: "better", worse: "worse", same: "no difference" };

type Row = {
  id: string;
  title: string;
  unit: string;
  values: (Measured | undefined)[];
  outside: (string | undefined)[];
};

/** What of the numbers differs from A, by how much, and which way that is. */
export function Delta({ compared, metrics }: Props) {
  const [base, ...others] = compared;
  if (base === undefined) return null;
  const rows = rowsOf(compared, metrics);
  const marked = [...new Set(rows.flatMap(({ outside }) => outside.filter((reason) => reason !== undefined)))];
  return (
    <>
      <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of differences">
        <table className={classes.table}>
          <caption className="visually-hidden">Metrics of each scenario, and their differences from A</caption>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {compared.map(({ letter }) => (
                <th key={letter} scope="col">
                  {letter}
                </th>
              ))}
              {others.map(({ letter }) => (
                <th key={letter} scope="col" colSpan={3}>
                  {letter} against A
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">{row.title}</th>
                {row.values.map((one, i) => (
                  <td key={compared[i]?.letter}>
                    {one === undefined ? "–" : show(row, one.value)}
                    {row.outside[i] !== undefined && (
                      <sup title={row.outside[i]}>{marked.indexOf(row.outside[i]) + 1}</sup>
                    )}
                    {one?.interval !== undefined && one.interval[0] !== one.interval[1] && (
                      <small>
                        {" "}
                        {show(row, Math.max(0, one.interval[0]))} to {show(row, one.interval[1])}
                      </small>
                    )}
                  </td>
                ))}
                {others.map(({ letter }, i) => (
                  <Cells
                    key={letter}
                    row={row}
                    other={row.values[i + 1]}
                    faded={row.outside[0] !== undefined || row.outside[i + 1] !== undefined}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {marked.length > 0 && (
        <ol className={classes.notes}>
          {marked.map((reason) => (
            <li key={reason}>Outside validity: {reason}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function Cells({ row, other, faded }: { row: Row; other: Measured | undefined; faded: boolean }) {
  const base = row.values[0];
  if (base === undefined || other === undefined) return <td colSpan={3}>–</td>;
  const { absolute, relative, verdict } = difference(row.id, row.unit, base, other);
  // What was chosen is neither better nor worse.
  if (row.id === "buffer")
    return (
      <>
        <td>{absolute}</td>
        <td>{relative}</td>
        <td className={classes.verdict}>as chosen</td>
      </>
    );
  return (
    <>
      <td>{absolute}</td>
      <td>{relative}</td>
      <td data-verdict={faded ? undefined : verdict} className={classes.verdict}>
        {faded ? "outside validity" : WORDS[verdict]}
      </td>
    </>
  );
}

const show = ({ id, unit }: Row, value: number) =>
  id === "smallest" || id === "buffer" ? formatQuantity(value, "B") : formatMetric(id, value, unit);

function rowsOf(compared: Compared[], metrics: Props["metrics"]): Row[] {
  const none = compared.map(() => undefined);
  const buffer: Row = {
    id: "buffer",
    title: "Buffer",
    unit: "B",
    values: compared.map((one) => (one.buffer === undefined ? undefined : { value: one.buffer })),
    outside: none,
  };
  const solved = compared.map(({ smallest }) => (smallest.state === "solved" ? { value: smallest.buffer } : undefined));
  const smallest: Row = {
    id: "smallest",
    title: "Smallest buffer for utilisation ≥ 99 % and drop rate ≤ 0.1 %",
    unit: "B",
    values: solved,
    outside: none,
  };
  const rows = ROWS.map((id): Row => ({
    id,
    title: titleOf(id),
    unit: metrics[id]?.unit ?? "1",
    values: compared.map(({ here }) => {
      const value = here?.metrics[id];
      return value === undefined ? undefined : { value, interval: here?.intervals[id] };
    }),
    outside: compared.map(({ here }) => here?.outside_validity[id]),
  }));
  return [buffer, ...(solved.some((one) => one !== undefined) ? [smallest] : []), ...rows].filter(({ values }) =>
    values.some((one) => one !== undefined),
  );
}
