import classes from "./fabric.module.css";
import { Headroom, Locked, Rates, Spread, Topology } from "@/views/fabric/panels";
import { Notes } from "@/features/answer";
import { PresetPicker } from "@/features/presets";
import { RunOnce, RunStatus } from "@/features/results";
import { ScenarioPanel } from "@/features/scenario";
import { TakeMenu, type Item } from "@/features/share";
import { Notices } from "@/features/status";
import { WhatIf } from "@/views/fabric/whatIf";
import { useInvalidFields } from "@/form/invalid";
import { download } from "@/lib/browser";
import { FABRIC_FIELDS, useFabric, type FabricRun } from "@/state/useFabric";
import { useIgnored } from "@/state/useDocument";
import { useHotkeys } from "@/state/useHotkeys";
import { answerPlace, Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

const NO_DERIVED = {};
const NO_GROUPS: never[] = [];
const NOTHING = () => {};

/** What pauses and queues do to a fabric: the scenario on the left, everything a packet run recorded beside it. */
export function View() {
  const run = useFabric();
  const ignored = useIgnored(FABRIC_FIELDS);
  const invalid = useInvalidFields().length > 0;
  useHotkeys({ run: invalid ? NOTHING : run.start, cancel: run.active ? run.cancel : undefined });
  return (
    <Frame
      title="Fabric"
      className={classes.main}
      tools={<Tools run={run} />}
      notice={<Notices offline={run.offline} seen={run.axes !== undefined} ignored={ignored} />}
    >
      <section className={`${layout.column} ${layout.left}`} aria-label="Scenario">
        <PresetPicker presets={run.presets} chosen={run.chosen} edited={run.edited} onPick={run.pick} />
        {run.axes !== undefined && run.schema !== undefined && run.scenario !== undefined && (
          <ScenarioPanel
            key={run.chosen}
            axes={run.axes}
            schema={run.schema}
            scenario={run.scenario}
            examples={run.examples === undefined ? [] : [run.examples]}
            problems={run.problems}
            derived={NO_DERIVED}
            onChange={run.edit}
          />
        )}
      </section>
      <section {...answerPlace} className={`${layout.column} ${layout.centre}`} aria-label="What the run recorded">
        <RunOnce run={run} invalid={invalid}>
          Packet simulation. It records every port, every pause and its cause, and the rates of flows.
        </RunOnce>
        <RunStatus study={run.study} error={run.error} expected={1} />
        <div className={layout.scroll} tabIndex={0} role="group" aria-label="Figures">
          <Found run={run} />
          {run.scenario !== undefined && <WhatIf scenario={run.scenario} choice={run.whatIf} onChoose={run.compare} />}
        </div>
      </section>
    </Frame>
  );
}

function Found({ run: { result, active, scenario } }: { run: FabricRun }) {
  const fabric = result?.fabric;
  if (result === undefined || fabric === undefined || fabric === null)
    return active || scenario === undefined ? null : (
      <p className={classes.empty}>
        <b>Not simulated yet.</b> Run packets (Ctrl+Enter) to see queues and pauses of every port over time, which port
        paused which, which flows lost time, and how much headroom was used.
      </p>
    );
  const { headroom, deadlock, priority_groups: groups } = result;
  return (
    <>
      <h1 className="visually-hidden">Queues, pauses and flows of the fabric</h1>
      <Locked deadlock={deadlock} />
      {headroom !== undefined && headroom !== null && <Headroom switches={headroom} groups={groups ?? NO_GROUPS} />}
      <Topology fabric={fabric} deadlock={deadlock} />
      {fabric.pauses === null ? (
        <p className={classes.empty}>No class is lossless (Headroom under Switch), so no port is ever paused.</p>
      ) : (
        <Spread pauses={fabric.pauses} deadlock={deadlock} />
      )}
      <Rates fabric={fabric} />
      <div className={classes.notes}>
        <Notes results={[result]} />
      </div>
    </>
  );
}

function Tools({ run: { result } }: { run: FabricRun }) {
  return (
    <TakeMenu
      items={({ copy }): Item[][] => [
        [
          [
            "Copy link",
            "scenario, run and comparison",
            () => {
              copy("Link", window.location.href);
            },
          ],
        ],
        result === undefined
          ? []
          : [
              [
                "Download JSON",
                "the whole result",
                () => {
                  download("footroom-fabric.json", JSON.stringify(result, null, 1), "application/json");
                },
              ],
            ],
      ]}
    />
  );
}
