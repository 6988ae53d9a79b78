import { Button, Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import classes from "./lossless.module.css";
import { memoryQuery } from "@/api/memory";
import { wordsOf } from "@/api/problem";
import { giveUp, startStudy } from "@/api/studies";
import { calculated, observed, verdict } from "@/lib/ecnRun";
import { sharingCodec } from "@/lib/emulation";
import type { JsonObject } from "@/lib/path";
import { refusalWords } from "@/lib/problems";
import type { Result } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { pathOf } from "@/lib/views";
import { useStarting } from "@/state/useStarting";
import { isActive, useStudy } from "@/state/useStudy";
import numbers from "@/ui/numbers.module.css";
import { useInvalidFields } from "@/form/invalid";

type Props = {
  scenario: JsonObject;
  /** What differs between the scenario and what was asked. */
  differs: readonly string[];
};

/** Runs the scenario in packets on one click, and shows what came first beside what is calculated. */
export function EcnRun({ scenario, differs }: Props) {
  const key = JSON.stringify(scenario);
  const [started, setStarted] = useState<{ key: string; id: string }>();
  const { begin, starting, error } = useStarting(key);
  const invalid = useInvalidFields().length > 0;
  // A run of an earlier question is none of this one.
  const { study } = useStudy(started?.key === key ? started.id : undefined);
  const run = () => {
    begin(
      () => startStudy({ scenario, over: {}, engines: ["packet"], replicas: 1 }),
      (id) => {
        setStarted({ key, id });
      },
      giveUp,
    );
  };
  const result = study?.points[0]?.result;
  const active = isActive(study);
  const failed = study?.error?.detail ?? study?.unsupported[0]?.message;
  const refused = error !== undefined ? wordsOf(error) : failed === undefined ? undefined : refusalWords(failed);
  return (
    <section className={classes.run} aria-label="Packet simulation">
      {result === undefined && !active && (
        <Button
          className={classes.button}
          size="compact-sm"
          variant="default"
          onClick={run}
          loading={starting}
          disabled={invalid}
        >
          Run packets
        </Button>
      )}
      {active && (
        <Progress size={5} value={(study?.fraction ?? 0) * 100} animated aria-label="Progress of the packet run" />
      )}
      {refused !== undefined && (
        <p className={classes.verdict} data-lost role="alert">
          {refused}
        </p>
      )}
      {result !== undefined && <Compared result={result} scenario={scenario} />}
      {differs.length > 0 && <p className={classes.more}>In the packet run: {differs.join("; ")}.</p>}
      <p className={classes.more}>
        <Link
          className={classes.link}
          to={pathOf("sharing")}
          search={{ query: sharingCodec.encode({ page: { mode: "run" }, run: { from: "this question", scenario } }) }}
        >
          Open this scenario as a packet run
        </Link>
      </p>
    </section>
  );
}

function Compared({ result, scenario }: { result: Result; scenario: JsonObject }) {
  const { data } = useQuery(memoryQuery(scenario));
  const paper = calculated(data ?? [], scenario);
  const seen = observed(result);
  const at = (time: number | undefined) => (time === undefined ? "never" : formatQuantity(time, "s"));
  const size = (bytes: number | undefined) => (bytes === undefined ? "" : formatQuantity(bytes, "B"));
  return (
    <>
      <p className={classes.verdict} data-lost={seen.lost > 0} role="status">
        {verdict(seen)}
      </p>
      <table className={numbers.table}>
        <caption className="visually-hidden">What comes first, calculated and simulated</caption>
        <thead>
          <tr>
            <th scope="col" />
            <th scope="col">calculated{paper === undefined ? "" : `, ${paper.sources} ports`}</th>
            <th scope="col">simulated</th>
          </tr>
        </thead>
        <tbody>
          <Row name="First" one={paper?.first ?? ""} other={seen.first === "" ? "neither" : seen.first} />
          <Row name="Marking begins" one={size(paper?.mark)} other={at(seen.mark)} />
          <Row name="Pause begins" one={size(paper?.queue)} other={at(seen.pause)} />
          <Row name="Longest queue" one="" other={size(seen.peak)} />
          <Row name="Marked packets" one="" other={String(seen.marks)} />
          <Row name="Pause frames" one="" other={String(seen.frames)} />
          <Row name="Lost in lossless classes" one="" other={String(seen.lost)} />
        </tbody>
      </table>
    </>
  );
}

function Row({ name, one, other }: { name: string; one: string; other: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{one}</td>
      <td>{other}</td>
    </tr>
  );
}
