import { useLocation } from "@tanstack/react-router";

import { Map } from "./Map";
import { Scenario } from "./Scenario";
import { Tools } from "./Tools";
import { CellsTable, Verdict } from "@/views/stability/panels";
import { Notices } from "@/features/status";
import { getPath } from "@/lib/path";
import { ignoredInStability, type StabilityPanel } from "@/lib/stability";
import { queryOf } from "@/state/router";
import { useStability, type StabilityBench } from "@/views/stability/state/useStability";
import { Derivations } from "@/ui/Derivations";
import { answerPlace, Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";
import { Tabs } from "@/ui/Tabs";

const tabs: { id: StabilityPanel; title: string }[] = [
  { id: "answer", title: "Verdict" },
  { id: "explain", title: "Explain" },
  { id: "cells", title: "Values" },
];

/** Scenario on the left, the map and the course over time in the centre, the verdict on the right. */
export function View() {
  const bench = useStability();
  const { view, change, answer } = bench;
  return (
    <Frame
      title="Stability"
      className={layout.main}
      tools={<Tools bench={bench} />}
      notice={
        <Notices
          offline={bench.offline}
          seen={answer !== undefined}
          ignored={[...ignoredInStability(queryOf(useLocation().search as unknown)), ...bench.unread]}
        />
      }
    >
      <Scenario bench={bench} />
      <Map bench={bench} />
      <section {...answerPlace} className={`${layout.column} ${layout.right}`} aria-label="Verdict">
        <Tabs
          label="Verdict, derivation and values"
          tabs={tabs}
          chosen={view.panel}
          onPick={(panel) => {
            change({ panel });
          }}
        >
          <Panels bench={bench} />
        </Tabs>
      </section>
    </Frame>
  );
}

function Panels({ bench }: { bench: StabilityBench }) {
  const { view, answer, map, cell, change, edit, stale } = bench;
  if (bench.unsupported) return <p className={layout.pending}>No verdict for this scenario.</p>;
  if (answer === undefined) return null;
  if (view.panel === "explain") return <Derivations explanations={answer.explanations} />;
  if (view.panel === "cells") {
    return map === undefined ? null : (
      <CellsTable
        map={map}
        chosen={cell}
        onChoose={(x, y) => {
          change({ at: `${x},${y}` });
        }}
      />
    );
  }
  const buffer = getPath(answer.scenario, "switch.buffer");
  const marks = getPath(answer.scenario, "switch.marking.kind") !== "none";
  const ramp =
    typeof buffer === "number"
      ? { kind: "red", kmin: Math.round(0.05 * buffer), kmax: Math.round(0.5 * buffer), pmax: 0.1 }
      : undefined;
  return (
    <Verdict
      answer={answer}
      stale={stale}
      onMark={
        marks || ramp === undefined
          ? undefined
          : () => {
              edit("switch.marking", ramp);
            }
      }
    />
  );
}
