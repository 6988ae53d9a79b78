import { Fragment } from "react";

import classes from "./papers.module.css";
import { VerdictChip } from "./VerdictChip";
import { showOurs, showValue, supportWords, type Row } from "@/lib/papers";

/** Published beside ours, target by target, with the verdict and below it the reason. */
export function TargetTable({ rows, all }: { rows: readonly Row[]; all: number }) {
  if (rows.length === 0) return <p className={classes.none}>None of {all} targets fits the filter.</p>;
  return (
    <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of targets">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">Published</th>
            <th scope="col">Ours, 95 %</th>
            <th scope="col">Verdict</th>
            <th scope="col">Confidence</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ target, judged }) => (
            <Fragment key={target.id}>
              <tr data-main="true">
                <th scope="row">
                  {target.metric} <code>{target.id}</code>
                </th>
                <td>{showValue(target.published, target.unit)}</td>
                <td>{judged === undefined ? "" : showOurs(judged)}</td>
                <td>
                  <VerdictChip verdict={judged?.verdict} />
                </td>
                <td>{target.confidence}</td>
              </tr>
              <tr>
                <td colSpan={5} className={classes.reason}>
                  {judged === undefined ? `Rule: ${target.comparison}.` : sentence(judged.reason)}
                  {judged !== undefined && supportWords(judged) !== "" && ` ${sentence(supportWords(judged))}`}
                  {judged?.explanation !== undefined && judged.explanation !== "" && ` ${sentence(judged.explanation)}`}
                  {judged?.sensitivity !== undefined && judged.sensitivity !== "" && <b> {sentence(judged.sensitivity)}</b>}
                  <cite> {target.source}</cite>
                  {target.notes !== "" && <details><summary>How it is read</summary>{target.notes}</details>}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const sentence = (text: string) => (text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`);
