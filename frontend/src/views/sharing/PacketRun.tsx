import { useMemo } from "react";

import { Modes } from "./Modes";
import classes from "./sharing.module.css";
import { PauseTable } from "@/features/lossless";
import { elsewhere, PresetPicker, type PresetChoice } from "@/features/presets";
import { RunOnce, RunStatus } from "@/features/results";
import { ScalingNote } from "@/features/scaling";
import { ScenarioPanel } from "@/features/scenario";
import { QueuePicker, TimelinePlots } from "@/views/sharing/timeline";
import { useInvalidFields } from "@/form/invalid";
import { keyOf, queueName, timelineColumns } from "@/lib/timeline";
import type { SharingBench } from "@/views/sharing/state/useSharing";
import { useHotkeys } from "@/state/useHotkeys";
import { SAME, useSharingRun, type SharingRun } from "@/views/sharing/state/useSharingRun";
import { ColumnsTable } from "@/ui/ColumnsTable";
import layout from "@/ui/layout.module.css";

const NO_DERIVED = {};
const NOTHING = () => {};
const incast: PresetChoice = {
  id: SAME,
  title: "This incast, with senders that react",
  question: "What does the policy do when senders slow down after a loss?",
};

/** The scenario on the left, queue and threshold over time in the centre, the queues and their values on the right. */
export function PacketRun({ bench }: { bench: SharingBench }) {
  const run = useSharingRun();
  const invalid = useInvalidFields().length > 0;
  useHotkeys({ run: invalid ? NOTHING : run.start, cancel: run.active ? run.cancel : undefined });
  const { study, timeline } = run;
  return (
    <>
      <Inputs bench={bench} run={run} />
      <section className={`${layout.column} ${layout.centre}`} aria-label="Timeline">
        <RunOnce run={run} invalid={invalid}>
          Packet simulation. Set the recorded time and its step in Timeline, under Run.
        </RunOnce>
        <RunStatus study={study} error={run.error} expected={1} />
        <div className={layout.scroll}>
          <h1 className="visually-hidden">Queue and threshold over time in a packet run</h1>
          {timeline !== undefined && timeline !== null ? (
            <TimelinePlots
              timeline={timeline}
              shown={run.shown}
              near={bench.near}
              onNear={(near) => {
                bench.show("near", near ? undefined : false);
              }}
            />
          ) : (
            <Nothing run={run} />
          )}
        </div>
      </section>
      <section className={`${layout.column} ${layout.right}`} aria-label="Queues">
        <div className={layout.scroll} tabIndex={0} role="group" aria-label="Queues and values">
          {run.result?.scaling !== undefined && run.result.scaling !== null && (
            <ScalingNote scaling={run.result.scaling} />
          )}
          {run.result?.priority_groups !== undefined && run.result.priority_groups !== null && (
            <PauseTable groups={run.result.priority_groups} />
          )}
          {timeline !== undefined && timeline !== null && (
            <>
              <QueuePicker timeline={timeline} shown={run.shown} onShow={run.look} />
              {run.shown.slice(0, 1).map((queue) => (
                <ColumnsTable
                  key={keyOf(queue)}
                  label={`${queueName(queue, timeline)} over time`}
                  rows={{ title: "Time", unit: "s", values: timeline.time }}
                  columns={timelineColumns(queue)}
                />
              ))}
            </>
          )}
        </div>
      </section>
    </>
  );
}

/** Why there is no plot, and what to do about it. */
function Nothing({ run }: { run: SharingRun }) {
  if (run.active) return null;
  if (run.result !== undefined) {
    return (
      <p className={classes.empty}>
        <b>This run recorded no timeline.</b> Set Timeline under Run: when to begin, when to end, and the length of a
        step; then run it again.
      </p>
    );
  }
  return (
    <p className={classes.empty}>
      <b>Not simulated yet.</b> Run packets (Ctrl+Enter) to see every queue with its threshold, the free memory, marks
      and drops over time.
    </p>
  );
}

function Inputs({ bench, run }: { bench: SharingBench; run: SharingRun }) {
  const presets = useMemo(
    () => [...(run.from === undefined ? [] : [elsewhere(run.from)]), incast, ...run.presets],
    [run.presets, run.from],
  );
  const examples = useMemo(() => (run.examples === undefined ? [] : [run.examples]), [run.examples]);
  return (
    <section className={`${layout.column} ${layout.left}`} aria-label="Scenario">
      <Modes
        mode="run"
        onMode={() => {
          bench.show("mode", undefined);
        }}
      />
      <PresetPicker presets={presets} chosen={run.chosen} edited={run.edited} onPick={run.pick} />
      {run.axes !== undefined && run.schema !== undefined && run.scenario !== undefined && (
        <ScenarioPanel
          key={run.from === undefined ? run.chosen : "elsewhere"}
          axes={run.axes}
          schema={run.schema}
          scenario={run.scenario}
          examples={examples}
          problems={run.problems}
          derived={NO_DERIVED}
          onChange={run.edit}
        />
      )}
    </section>
  );
}
