import { Link } from "@tanstack/react-router";
import { useMemo } from "react";

import controls from "./controls.module.css";
import classes from "./table.module.css";
import type { PaperCase } from "@/views/papers/api";
import { bufferQuery, runQuery } from "@/views/papers/lib/caseLinks";
import { download } from "@/lib/browser";
import { duration, percent } from "@/lib/number";
import type { Tier } from "@/views/papers/lib/papers";
import { pathOf } from "@/lib/views";

export type CaseRun = {
  experiment: string;
  case: string;
  replica: number;
  wall_s: number;
  metrics: Record<string, number>;
};

type Props = {
  cases: readonly PaperCase[];
  runs: readonly CaseRun[];
  tier: Tier;
  /** Only what decides this target. */
  target: string | undefined;
  /** The case that shows why this target is not met. */
  shownBy: { experiment: string; case: string } | undefined;
  onAll: () => void;
};

/** Every scenario of the paper at this size: what it decides, what it gave, and where it can be changed and run. */
export function CaseTable({ cases, runs, tier, target, shownBy, onAll }: Props) {
  const deciding = useMemo(
    () => (target === undefined ? cases : cases.filter(({ targets }) => targets.includes(target))),
    [cases, target],
  );
  const showing = (one: PaperCase) => one.experiment === shownBy?.experiment && one.case === shownBy.case;
  const shown = [...cases.filter(showing), ...deciding.filter((one) => !showing(one))];
  return (
    <>
      <p className={classes.cases} role="status">
        {target === undefined ? (
          <>
            These are the {cases.length} scenarios behind the numbers at this size. Open one, change an assumption, and
            run it again.
          </>
        ) : (
          <>
            {deciding.length === 0
              ? `${target} is read from the scenario as published, without a run. `
              : `${deciding.length} of ${cases.length} scenarios decide ` +
                `${target}${shownBy === undefined ? "" : "; the first shows why it is not met"}. `}
            <button type="button" className={controls.link} onClick={onAll}>
              All scenarios
            </button>
          </>
        )}
      </p>
      {shown.length > 0 && (
        <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of scenarios">
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Scenario</th>
                <th scope="col">Utilisation</th>
                <th scope="col">Drop rate</th>
                <th scope="col">Run time</th>
                <th scope="col">Open in</th>
                <th scope="col">Decides</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <CaseRow
                  key={`${one.experiment} ${one.case}`}
                  one={one}
                  tier={tier}
                  run={runs.find((run) => run.experiment === one.experiment && run.case === one.case)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function CaseRow({
  one: { experiment, case: name, targets, scenario },
  run,
  tier,
}: {
  one: PaperCase;
  run: CaseRun | undefined;
  tier: Tier;
}) {
  const title = `${experiment} ${name}`.trim();
  const share = (metric: string) => {
    const value = run?.metrics[metric];
    return value === undefined ? "" : percent(value);
  };
  return (
    <tr className={classes.case}>
      <th scope="row">{title}</th>
      <td>{share("utilisation")}</td>
      <td>{share("drop_rate")}</td>
      <td>{run === undefined ? "" : duration(run.wall_s)}</td>
      <td>
        <Link
          className={controls.link}
          to={pathOf("buffer")}
          search={{ query: bufferQuery(`${title}, ${tier}`, scenario) }}
          aria-label={`Open ${title} in the buffer view`}
        >
          Buffer
        </Link>
        <Link
          className={controls.link}
          to={pathOf("sharing")}
          search={{ query: runQuery(`${title}, ${tier}`, scenario) }}
          aria-label={`Open ${title} as one packet run`}
        >
          Packet run
        </Link>
        <button
          type="button"
          className={controls.link}
          aria-label={`Download ${title} as JSON`}
          onClick={() => {
            download(
              `${title.replaceAll(/[^\w.-]+/g, "-")}-${tier}.json`,
              `${JSON.stringify(scenario, null, 2)}\n`,
              "application/json",
            );
          }}
        >
          JSON
        </button>
      </td>
      <td className={classes.decides}>{targets.join(", ")}</td>
    </tr>
  );
}
