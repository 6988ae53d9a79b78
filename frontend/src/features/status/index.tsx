import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import classes from "./status.module.css";
import type { ApiProblem } from "@/api/problem";
import { healthQuery } from "@/api/queries";
import { roughly } from "@/lib/number";
import { pathLabel, plainMessage, refusalWords } from "@/lib/problems";

/** Wait after which the page says what it waits for [ms]. */
const LONG = 1500;

/** The server does not answer: what is on the page stays, and may be out of date. */
export function Offline({ seen }: { seen: boolean }) {
  const client = useQueryClient();
  return (
    <div className={seen ? classes.strip : classes.page} role="alert">
      <p>
        <b>The server does not answer.</b>{" "}
        {seen ? "What is shown is its last answer." : "Start it with npm start or footroom serve, then try again."}
      </p>
      <button
        type="button"
        onClick={() => {
          void client.invalidateQueries();
        }}
      >
        Try again
      </button>
    </div>
  );
}

/** Parts of the link that the page could not use. */
export function Ignored({ parts }: { parts: string[] }) {
  return (
    <div className={classes.strip} role="status">
      <p>
        <b>Ignored in the link:</b>{" "}
        {parts.map((part, i) => (
          <span key={part}>
            {i > 0 && "; "}
            <code>{part}</code>
          </span>
        ))}
        .
      </p>
    </div>
  );
}

/** What stands above a view: that the server does not answer, and what of the link could not be used. */
export function Notices({ offline, seen, ignored }: { offline: boolean; seen: boolean; ignored: string[] }) {
  return (
    <>
      {offline && <Offline seen={seen} />}
      {ignored.length > 0 && <Ignored parts={ignored} />}
    </>
  );
}

/** Before the first answer: the page's shape, so that nothing jumps when it comes; and why, where it takes long. */
export function Waiting() {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLong(true);
    }, LONG);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const { data } = useQuery({ ...healthQuery, enabled: long, refetchInterval: long ? LONG : false });
  return (
    <div className={classes.waiting} role="status" aria-label="Loading" aria-busy="true">
      {long && data !== undefined && (
        <p>
          {data.engine === "warm"
            ? "Computing"
            : "Compiling the engines, once after an update; this takes up to a minute"}
        </p>
      )}
      {[0, 1, 2].map((i) => (
        <div key={i} className={classes.blank} />
      ))}
    </div>
  );
}

/** The API refuses the question as a whole, or no engine answers it at once. */
export function Refusal({ problem }: { problem: ApiProblem }) {
  return (
    <div className={classes.page} role="alert">
      <p>
        {problem.errors.length > 0 && problem.engines.length === 0 ? (
          <b>
            {problem.errors
              .map(({ path, message }) => `${pathLabel(path)}: ${plainMessage(message, path)}`.replace(/^: /, ""))
              .join(". ")}
            .
          </b>
        ) : problem.status === 404 ? (
          <b>{`${plainMessage(problem.detail).replace(/^./, (first) => first.toUpperCase())}.`}</b>
        ) : (
          <>
            <b>{problem.title}.</b> {refusalWords(problem.detail)}
          </>
        )}
      </p>
      {problem.engines.length > 0 && <p>Engines that can answer: {problem.engines.join(", ")}.</p>}
    </div>
  );
}

/** Nothing to draw yet, and what is asked; `cost` is what a packet study takes [s]. */
export function Empty({
  question,
  onRun,
  cost,
  running,
  blocked,
}: {
  question?: string | undefined;
  onRun: () => void;
  cost: number | undefined;
  running: boolean;
  /** A field is wrong: the run would not use the value it shows. */
  blocked: boolean;
}) {
  return (
    <div className={classes.page} role="status">
      {question !== undefined && (
        <p>
          <b>{question}</b>
        </p>
      )}
      <p>This scenario needs the packet simulator. {running && "Simulating; points appear as they finish."}</p>
      {!running && (
        <button type="button" onClick={onRun} disabled={blocked}>
          Run{cost !== undefined && ` (${roughly(cost)})`}
        </button>
      )}
    </div>
  );
}
