import { useMemo } from "react";

import { PresetPicker } from "@/features/presets";
import { ScenarioPanel } from "@/features/scenario";
import { PublishedPicker } from "@/views/stability/panels";
import { OWN } from "@/lib/stability";
import type { StabilityBench } from "@/views/stability/state/useStability";
import layout from "@/ui/layout.module.css";

/** Where to start from, and the scenario as a form. */
export function Scenario({ bench }: { bench: StabilityBench }) {
  const { view, change, edit, catalog, presets, preset, scenario, problems, derived } = bench;
  const examples = useMemo(() => (preset === undefined ? [] : [preset.scenario]), [preset]);
  const unset = { set: undefined, x: undefined, y: undefined, at: undefined };
  return (
    <section className={`${layout.column} ${layout.left}`} aria-label="Scenario">
      <div>
        <PresetPicker
          presets={presets}
          chosen={view.preset}
          edited={bench.edited}
          onPick={(id) => {
            change({ preset: id, scenario: undefined, ...unset }, "push");
          }}
        />
        <PublishedPicker
          onPick={(picked) => {
            change({ preset: OWN, scenario: picked, ...unset }, "push");
          }}
        />
      </div>
      {catalog !== undefined && scenario !== undefined && (
        <ScenarioPanel
          key={view.preset}
          axes={catalog.axes}
          schema={catalog.scenario}
          scenario={scenario}
          examples={examples}
          problems={problems}
          derived={derived}
          hint="Every field takes a unit. Up and Down step a number. The verdict is that of the fluid models."
          onChange={edit}
        />
      )}
    </section>
  );
}
