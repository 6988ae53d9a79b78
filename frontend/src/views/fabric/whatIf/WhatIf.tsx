import { useQuery } from "@tanstack/react-query";
import classes from "./whatIf.module.css";
import { wordsOf } from "@/api/problem";
import { studyQuery, type StudyRequest } from "@/api/studies";
import { alternativesQuery, whatIfQuery, type Difference } from "@/views/fabric/api";
import { download } from "@/lib/browser";
import type { JsonObject } from "@/lib/path";
import { plainText } from "@/lib/problems";
import { differenceOf, GROUPS, nameOf, valueOf, VERDICTS, whatIfCsv } from "@/views/fabric/lib/whatIf";
import { isActive, useStudy } from "@/state/useStudy";

/** Pairs of runs. */
const PAIRS = 5;

type Props = { scenario: JsonObject; choice: string | undefined; onChoose: (id: string) => void };

/**
 * Buttons for the next things to try; each runs the scenario and the change over the same arrivals. `choice` is the one
 * that the address names, so a link shows its comparison: runs that the server has are not repeated.
 */
export function WhatIf({ scenario, choice, onChoose }: Props) {
  const { data } = useQuery(alternativesQuery(scenario, PAIRS));
  const current = data?.alternatives.find(({ id }) => id === choice);
  const first = useQuery(studyQuery(current && (data?.study as StudyRequest)));
  const second = useQuery(studyQuery(current && (current.study as StudyRequest)));
  const a = useStudy(first.data);
  const b = useStudy(second.data);
  const done = a.study?.status === "done" && b.study?.status === "done";
  const { data: found, error } = useQuery(whatIfQuery(done ? first.data : undefined, done ? second.data : undefined));
  const running = first.isFetching || second.isFetching || isActive(a.study) || isActive(b.study);
  const failed = [a.study, b.study].find((study) => study?.status === "failed");
  const refused = first.error ?? second.error ?? error;
  if (data === undefined || data.alternatives.length === 0) return null;
  return (
    <section className={classes.whatIf} aria-label="What if">
      <h2>What if?</h2>
      <p className={classes.text}>
        Each button runs this scenario and one change of it {PAIRS} times with the same arrivals, and compares them pair
        by pair.
      </p>
      <ul className={classes.choices}>
        {data.alternatives.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              disabled={running}
              title={plainText(one.about)}
              aria-pressed={one.id === choice}
              onClick={() => {
                if (one.id !== choice) onChoose(one.id);
                else void Promise.all([first.refetch(), second.refetch()]);
              }}
            >
              {one.title}
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className={classes.text}>
        {running
          ? "Simulating both…"
          : failed !== undefined
            ? `The run failed: ${failed.error === undefined ? "no reason is known" : wordsOf(failed.error)}`
            : refused !== null
              ? wordsOf(refused)
              : choice !== undefined && data.alternatives.length > 0 && current === undefined
                ? "The change that this link names does not apply to this scenario. Choose another."
                : ""}
      </p>
      {found !== undefined && current !== undefined && (
        <>
          <div className={classes.head}>
            <h3>
              A as it is; B with {current.title.charAt(0).toLowerCase() + current.title.slice(1)}
              {found.same_arrivals ? ", the same arrivals" : ""}
            </h3>
            <button
              type="button"
              aria-label="What if: download CSV"
              onClick={() => {
                download("footroom-what-if.csv", whatIfCsv(found.differences), "text/csv");
              }}
            >
              CSV
            </button>
          </div>
          <Table differences={found.differences} />
          <ul className={classes.notes}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Table({ differences }: { differences: readonly Difference[] }) {
  // Rows that are 0 in both are left out.
  const shown = differences.filter(({ a, b }) => a !== 0 || b !== 0);
  return (
    <div className={classes.wide} tabIndex={0} role="group" aria-label="Differences">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Mean</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">B − A</th>
            <th scope="col">95 % interval</th>
            <th scope="col">B is</th>
          </tr>
        </thead>
        {GROUPS.map(({ group, title }) => {
          const rows = shown.filter((one) => one.group === group);
          if (rows.length === 0) return null;
          return (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={6} className={classes.group}>
                  {title}
                </th>
              </tr>
              {rows.map((one) => {
                const { value, between } = differenceOf(one);
                return (
                  <tr key={one.name} data-clear={one.verdict === "higher" || one.verdict === "lower"}>
                    <th scope="row">{nameOf(one)}</th>
                    <td>{valueOf(one.a, one.unit)}</td>
                    <td>{valueOf(one.b, one.unit)}</td>
                    <td>{value}</td>
                    <td>{between}</td>
                    <td>{VERDICTS[one.verdict]}</td>
                  </tr>
                );
              })}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}
