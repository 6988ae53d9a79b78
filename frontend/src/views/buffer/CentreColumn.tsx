import { useMemo, type ReactNode } from "react";

import { useChartInput } from "./useChartInput";
import { barClasses, Charts, EngineToggles, OutOfRange, RunControls, RunStatus, SweepRange } from "@/features/results";
import { useInvalidFields } from "@/form/invalid";
import { Empty, Refusal, Waiting } from "@/features/status";
import { isMixed, runWords, simulators } from "@/lib/mixed";
import { isProbing, PROBE_SHARE, PROBES, SIZE } from "@/lib/oneMore";
import { plainText } from "@/lib/problems";
import { formatQuantity } from "@/lib/quantity";
import { BUFFER, span } from "@/lib/sweep";
import { isActive } from "@/state/useStudy";
import type { Workbench } from "@/views/buffer/state/useWorkbench";
import classes from "@/ui/layout.module.css";

const OFFERED = ["theory", "fluid", "packet"];

export function CentreColumn({ bench }: { bench: Workbench }) {
  const { view, change, edit, sweep, study, scenario, catalog } = bench;
  const input = useChartInput(bench);
  const invalid = useInvalidFields().length > 0;
  const full = useMemo(() => span(sweep), [sweep]);
  const mixed = isMixed(scenario);
  const engines = (catalog?.engines ?? []).filter(
    ({ engine }) => OFFERED.includes(engine) || (engine === "hybrid" && mixed),
  );
  return (
    <section className={`${classes.column} ${classes.centre}`} aria-label="Plots">
      <div className={barClasses.bar}>
        <EngineToggles
          engines={engines}
          shown={view.engines}
          onChange={(shown) => {
            change({ engines: shown });
          }}
        />
        <SweepRange
          sweep={sweep}
          locked={view.over !== undefined}
          onChange={bench.setRange}
          onLock={(lock) => {
            if (lock) bench.setRange(sweep);
            else bench.setRange(undefined);
          }}
        />
        <RunControls
          run={runWords(simulators(view.engines, scenario))}
          points={bench.packet.points}
          replicas={bench.packet.replicas}
          active={isActive(study)}
          starting={bench.starting}
          cost={bench.cost}
          disabled={scenario === undefined || invalid}
          scale={view.scale ?? 1}
          unscalable={bench.unscalable === undefined ? undefined : plainText(bench.unscalable.detail)}
          onScale={(scale) => {
            bench.leave();
            change({ scale: scale === 1 ? undefined : scale, study: undefined });
          }}
          onPacket={(packet) => {
            change({ packet });
          }}
          onRun={bench.run}
          onCancel={bench.cancel}
        />
      </div>
      {bench.unscalable !== undefined && (
        <p className={barClasses.fault} role="alert">
          {plainText(bench.unscalable.detail)}
        </p>
      )}
      {bench.ready && <OutOfRange sweep={sweep} sizes={bench.landmarks} onWiden={bench.setRange} />}
      <RunStatus study={study} error={bench.runError} expected={bench.packet.points} />
      <Body bench={bench} invalid={invalid}>
        <Charts
          input={input}
          full={full}
          chosen={bench.buffer}
          third={bench.third}
          thirdChoices={bench.available}
          transfer={{
            size: bench.transfer,
            probing: isProbing(scenario),
            onSize: (size) => {
              edit(SIZE, size);
            },
            onProbing: (probing) => {
              edit(PROBES, probing ? PROBE_SHARE : undefined);
            },
          }}
          onThird={(third) => {
            change({ third });
          }}
          onChoose={(size) => {
            edit(BUFFER, formatQuantity(size, "B"));
          }}
          onRule={(about) => {
            change({ panel: "explain", about });
          }}
        />
      </Body>
    </section>
  );
}

/** The charts, or why there are none. */
function Body({ bench, invalid, children }: { bench: Workbench; invalid: boolean; children: ReactNode }) {
  if (bench.points.length > 0) return children;
  if (bench.problem !== undefined) return <Refusal problem={bench.problem} />;
  if (bench.ready && !invalid)
    return (
      <Empty
        // An edited scenario may ask something else.
        question={
          bench.view.from === undefined && bench.view.scenario === undefined ? bench.preset?.question : undefined
        }
        onRun={bench.run}
        cost={bench.cost}
        running={bench.starting || isActive(bench.study)}
        blocked={invalid}
      />
    );
  return bench.offline ? null : <Waiting />;
}
