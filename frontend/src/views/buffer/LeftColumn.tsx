import { useMemo } from "react";

import { elsewhere, PresetPicker } from "@/features/presets";
import { ScenarioPanel } from "@/features/scenario";
import type { Workbench } from "@/views/buffer/state/useWorkbench";
import classes from "@/ui/layout.module.css";

const NO_PROBLEMS: never[] = [];

export function LeftColumn({ bench }: { bench: Workbench }) {
  const { view, change, catalog, presets, preset, scenario, problem } = bench;
  const examples = useMemo(() => (preset === undefined ? [] : [preset.scenario]), [preset]);
  const offered = useMemo(
    () => (view.from === undefined ? (presets ?? []) : [elsewhere(view.from), ...(presets ?? [])]),
    [presets, view.from],
  );
  return (
    <section className={`${classes.column} ${classes.left}`} aria-label="Scenario">
      <PresetPicker
        presets={offered}
        chosen={view.from ?? view.preset}
        edited={view.scenario !== undefined && view.from === undefined}
        onPick={(id) => {
          bench.leave();
          change(
            {
              preset: id,
              from: undefined,
              scenario: undefined,
              over: undefined,
              study: undefined,
              third: undefined,
              about: undefined,
            },
            "push",
          );
        }}
      />
      {catalog !== undefined && scenario !== undefined && (
        <ScenarioPanel
          // Half-typed text belongs to the preset it was typed into.
          key={view.from === undefined ? view.preset : "elsewhere"}
          axes={catalog.axes}
          schema={catalog.scenario}
          scenario={scenario}
          examples={examples}
          problems={problem?.errors ?? NO_PROBLEMS}
          derived={bench.derived}
          onChange={bench.edit}
        />
      )}
    </section>
  );
}
