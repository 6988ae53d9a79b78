import { Fragment } from "react";

import controls from "./controls.module.css";
import classes from "./table.module.css";
import { Range, RangeLegend } from "./Range";
import { VerdictChip } from "./VerdictChip";
import {
  followsWords,
  showOurs,
  showValue,
  supportWords,
  type Judged,
  type Row,
  type Tier,
} from "@/views/papers/lib/papers";
import { plainText } from "@/lib/problems";

type Props = {
  rows: readonly Row[];
  all: number;
  /** Lists the scenarios that decide a target. */
  onScenarios: (target: string) => void;
  /** Size of the runs behind the verdicts. */
  tier: Tier;
};

/** Published beside ours, target by target, with the verdict and below it the reason. */
export function TargetTable({ rows, all, onScenarios, tier }: Props) {
  if (rows.length === 0) return <p className={classes.none}>None of {all} targets match the filter.</p>;
  const run = rows.some(({ judged }) => judged !== undefined);
  return (
    <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of targets">
      {run && <RangeLegend />}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">Published</th>
            <th scope="col">Ours, 95 %</th>
            {run && (
              <th scope="col" aria-hidden="true">
                To scale
              </th>
            )}
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
                  {target.follows_from !== "simulation" && (
                    <small className={classes.follows}>{followsWords[target.follows_from]}</small>
                  )}
                </th>
                <td>{showValue(target.published, target.unit)}</td>
                <td>{judged === undefined ? "" : showOurs(judged)}</td>
                {run && <td aria-hidden="true">{judged !== undefined && <Range judged={judged} />}</td>}
                <td data-chip="true">
                  <VerdictChip verdict={judged?.verdict} />
                </td>
                <td>{target.confidence}</td>
              </tr>
              <tr>
                <td colSpan={run ? 6 : 5} className={classes.reason}>
                  <div className={classes.words}>
                    {judged === undefined ? `Rule: ${target.comparison}.` : <Reason judged={judged} tier={tier} />}
                    <cite> {target.source}</cite>
                    <button
                      type="button"
                      className={controls.link}
                      onClick={() => {
                        onScenarios(target.id);
                      }}
                      aria-label={`Scenarios that decide ${target.id}`}
                    >
                      Scenarios
                    </button>
                    {target.rule_note !== "" && (
                      <p>
                        <b>How it is judged</b> {sentence(target.rule_note)}
                      </p>
                    )}
                    {target.notes !== "" && (
                      <details>
                        <summary>How it is read</summary>
                        {target.notes}
                      </details>
                    )}
                  </div>
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was compared; of a miss also why, and what would close the gap. */
function Reason({ judged, tier }: { judged: Judged; tier: Tier }) {
  const { reason, explanation, sensitivity, comparison, shown_by: shown } = judged;
  const support = supportWords(judged);
  return (
    <>
      {sentence(reason)} Rule: {sentence(comparison, false)}
      {support !== "" && ` ${sentence(support)}`}
      {explanation !== "" && (
        <p>
          <b>Why</b> {sentence(explanation)}
        </p>
      )}
      {sensitivity !== "" && (
        <p>
          <b>What closes the gap</b> {sentence(sensitivity)}
        </p>
      )}
      {shown !== null && (
        <p>
          <b>A run that shows it</b>{" "}
          <code>
            {shown.experiment} {shown.case}
          </code>
          , under Scenarios{tier === "laptop" ? "" : " at the size laptop"}.
        </p>
      )}
    </>
  );
}

function sentence(said: string, begins = true): string {
  const text = plainText(said);
  return text === ""
    ? ""
    : `${begins ? text.charAt(0).toUpperCase() : text.charAt(0)}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
