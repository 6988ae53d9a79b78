import classes from "./controls.module.css";
import tables from "@/answers/answers.module.css";
import { targetWords } from "@/answers/Backbone";
import { readBinding } from "@/lib/answerWords";
import { MODELS, type ControlsRow } from "@/lib/controls";
import { plainText } from "@/lib/problems";
import { formatQuantity } from "@/lib/quantity";
import type { ControlsBench } from "@/answers/byControl/useControls";

const ENGINES = ["theory", "fluid", "packet"];

/** Every control at one number of flows, engine by engine; what is outside a model's validity is faded and says so. */
export function ControlsTable({ bench, flows }: { bench: ControlsBench; flows: number | null }) {
  const here = bench.rows.filter((row) => row.flows === flows);
  const of = (control: string, engine: string) => here.find((row) => row.control === control && row.engine === engine);
  const rules = bench.rules.filter((rule) => rule.flows === flows);
  return (
    <table className={tables.table}>
      <caption className="visually-hidden">
        Smallest buffer by congestion control{flows === null ? "" : `, ${flows} flows`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Congestion control</th>
          {ENGINES.map((engine) => (
            <th key={engine} scope="col">
              {MODELS[engine]?.replace(/^./, (first) => first.toUpperCase())}
            </th>
          ))}
          <th scope="col">Decided by</th>
        </tr>
      </thead>
      <tbody>
        {bench.controls.map(({ control, title, engines }) => (
          <tr key={control}>
            <th scope="row">{title}</th>
            {ENGINES.map((engine) => (
              <Cell
                key={engine}
                row={of(control, engine)}
                known={engines.includes(engine)}
                waiting={engine === "packet" ? bench.packets.running : bench.working}
              />
            ))}
            <td>
              {targetWords(
                readBinding(
                  ENGINES.map((engine) => of(control, engine)?.binding).findLast((one) => typeof one === "string") ??
                    null,
                ),
              )}
            </td>
          </tr>
        ))}
        {rules.map(({ name, title, value, valid }) => (
          <tr key={name}>
            <th scope="row">
              {title} {!valid && <small>does not hold here</small>}
            </th>
            <td className={valid ? undefined : classes.faded}>{formatQuantity(value, "B")}</td>
            <td />
            <td />
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why figures of the table are faded or missing. */
export function ControlsRemarks({ bench, flows }: { bench: ControlsBench; flows: number | null }) {
  return (
    <ul className={tables.notes}>
      {remarksOf(bench.rows.filter((row) => row.flows === flows)).map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  );
}

type CellProps = { row: ControlsRow | undefined; known: boolean; waiting: boolean };

function Cell({ row, known, waiting }: CellProps) {
  if (!known) return <td className={classes.faded}>not supported</td>;
  if (row === undefined) return <td className={classes.faded}>{waiting ? "computing" : ""}</td>;
  if (row.value === null)
    return <td className={classes.faded}>{row.status === "missed" ? "none found" : "no answer"}</td>;
  if (row.outside !== "") return <td className={classes.faded}>! {formatQuantity(row.value, "B")}</td>;
  return (
    <td>
      {formatQuantity(row.value, "B")}
      {row.engine === "packet" && row.interval !== null && (
        <small>{` ${formatQuantity(row.interval[0], "B")} to ${formatQuantity(row.interval[1], "B")}`}</small>
      )}
    </td>
  );
}

/** Why figures are faded or missing, each reason once with the controls it is about; and what else was changed. */
function remarksOf(rows: readonly ControlsRow[]): string[] {
  const found = new Map<string, Set<string>>();
  const plain = (text: string) =>
    plainText(text.replace(/^\w+[<>]=[\d.e+-]+/, (written) => targetWords(readBinding(written))));
  const add = (text: string, title: string) => found.set(text, (found.get(text) ?? new Set()).add(title));
  for (const row of rows) {
    const model = MODELS[row.engine] ?? row.engine;
    if (row.outside !== "") add(`! ${model}: ${plainText(row.outside)}.`, row.title);
    else if (row.value === null) add(`${model}: ${plain(row.reason)}.`, row.title);
    for (const change of row.changes) add(plainText(change), row.title);
  }
  return [...found].map(([text, titles]) => `${[...titles].join(", ")}: ${text}`);
}
