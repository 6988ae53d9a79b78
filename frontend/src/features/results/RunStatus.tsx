import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import classes from "./results.module.css";
import { wordsOf } from "@/api/problem";
import { healthQuery } from "@/api/queries";
import { refusalWords } from "@/lib/problems";
import { duration } from "@/lib/number";
import { isActive, type Study } from "@/state/useStudy";

type Props = { study: Study | undefined; error: Error | undefined; expected: number };

/** What a packet study is doing, in one line; nothing once its points are all there. */
export function RunStatus({ study, error, expected }: Props) {
  const active = isActive(study);
  const waiting = active && study?.points.length === 0;
  const health = useQuery({ ...healthQuery, enabled: waiting, refetchInterval: waiting ? 1500 : false });
  if (error !== undefined) return <Line tone="bad">The study did not start: {wordsOf(error)}</Line>;
  if (study === undefined) return null;
  if (study.status === "failed")
    return <Line tone="bad">{refusalWords(study.error?.detail ?? "The server has no such study; run it again.")}</Line>;
  if (study.status === "cancelled") return <Line>Cancelled. {counted(study.points.length)} kept.</Line>;
  if (!active) return null;
  const compiling = waiting && health.data?.engine !== undefined && health.data.engine !== "warm";
  return (
    <Line>
      <span>
        {study.broken
          ? "Connection lost; trying again"
          : study.status === "queued"
            ? "Waiting for an earlier study"
            : compiling
              ? "Compiling the packet engine, once after an update"
              : `Simulating, ${study.points.length} of ${expected} points`}
      </span>
      <Progress
        className={classes.progress}
        size={5}
        value={study.fraction * 100}
        animated={compiling || study.status === "queued"}
        aria-label="Progress of the packet study"
      />
      <span>{study.secondsLeft === undefined ? "" : `${duration(study.secondsLeft)} left`}</span>
    </Line>
  );
}

function Line({ tone = "calm", children }: { tone?: "calm" | "bad"; children: ReactNode }) {
  return (
    <div className={classes.status} data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

const counted = (points: number) => (points === 1 ? "The finished point" : `The ${points} finished points`);
