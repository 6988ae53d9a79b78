import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import classes from "./whatIf.module.css";
import { wordsOf } from "@/api/problem";
import { startStudy, type StudyRequest } from "@/api/studies";
import { alternativesQuery, whatIfQuery, type Alternative, type Difference } from "@/views/fabric/api";
import { download } from "@/lib/browser";
import type { JsonObject } from "@/lib/path";
import { plainText } from "@/lib/problems";
import { differenceOf, GROUPS, nameOf, valueOf, VERDICTS, whatIfCsv } from "@/views/fabric/lib/whatIf";
import { isActive, useStudy } from "@/state/useStudy";

/** Pairs of runs. */
const PAIRS = 5;

type Asked = { title: string; a: string; b: string; scenario: JsonObject };

/** Buttons for the next things to try; each runs the scenario and the change over the same arrivals. */
export function WhatIf({ scenario }: { scenario: JsonObject }) {
  const { data } = useQuery(alternativesQuery(scenario, PAIRS));
  const [asked, setAsked] = useState<Asked>();
  const [error, setError] = useState<string>();
  const [starting, setStarting] = useState(false);
  const current = asked?.scenario === scenario ? asked : undefined;
  const a = useStudy(current?.a);
  const b = useStudy(current?.b);
  const done = a.study?.status === "done" && b.study?.status === "done";
  const { data: found, error: refused } = useQuery(
    whatIfQuery(done ? current?.a : undefined, done ? current?.b : undefined),
  );
  const running = starting || isActive(a.study) || isActive(b.study);
  const failed = [a.study, b.study].find((study) => study?.status === "failed");
  const start = ({ title, study }: Alternative) => {
    if (data === undefined) return;
    setStarting(true);
    setError(undefined);
    Promise.all([startStudy(data.study as StudyRequest), startStudy(study as StudyRequest)])
      .then(([first, second]) => {
        setAsked({ title, a: first, b: second, scenario });
      })
      .catch((reason: unknown) => {
        setError(wordsOf(reason instanceof Error ? reason : new Error(String(reason))));
      })
      .finally(() => {
        setStarting(false);
      });
  };
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
              onClick={() => {
                start(one);
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
          : (error ??
            (failed === undefined
              ? refused === null
                ? ""
                : wordsOf(refused)
              : `The run failed: ${failed.error === undefined ? "no reason is known" : wordsOf(failed.error)}`))}
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
  // What is nothing in both is no news.
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
