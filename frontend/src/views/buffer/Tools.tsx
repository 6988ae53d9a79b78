import { useComputedColorScheme } from "@mantine/core";

import { useChartInput } from "./useChartInput";
import { AddToCompare, Compare } from "@/features/compare";
import { ShareMenu } from "@/features/share";
import { buildFigure } from "@/lib/figure";
import { geometryOf } from "@/lib/geometry";
import { palettes } from "@/lib/palette";
import { enginesOf } from "@/lib/points";
import { span } from "@/lib/sweep";
import type { Workbench } from "@/views/buffer/state/useWorkbench";

export function Tools({ bench }: { bench: Workbench }) {
  const input = useChartInput(bench);
  const scheme = useComputedColorScheme("light");
  const { scenario, sweep, view, points, given } = bench;
  if (scenario === undefined) return null;
  const answered = enginesOf(points).filter((engine) => view.engines.includes(engine));
  const question = {
    scenario,
    over: bench.over,
    engines: answered,
    replicas: bench.packet.replicas,
    ...(view.scale === undefined ? {} : { scale: view.scale }),
  };
  const figure = () =>
    buildFigure({
      ...input,
      range: span(sweep),
      geometry: geometryOf(1100, 900),
      palette: palettes[scheme],
      print: true,
    });
  return (
    <>
      <Compare
        scenario={scenario}
        pinned={view.pinned?.scenario}
        onPin={() => {
          bench.change({ pinned: { scenario, ...(view.study === undefined ? {} : { study: view.study }) } }, "push");
        }}
        onUnpin={() => {
          bench.change({ pinned: undefined }, "push");
        }}
      />
      <AddToCompare
        slot={view.scenario === undefined && view.from === undefined ? { preset: view.preset } : { scenario }}
      />
      <ShareMenu view={view} question={question} points={given} metrics={bench.metrics} figure={figure} />
    </>
  );
}
