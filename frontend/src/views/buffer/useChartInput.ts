import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";

import type { ChartsInput } from "@/features/results";
import { shortLabel } from "@/lib/labels";
import type { Marker } from "@/lib/markers";
import type { Workbench } from "@/views/buffer/state/useWorkbench";

/** What the charts draw, stable while nothing of it changes. */
export function useChartInput(bench: Workbench): ChartsInput {
  const { points, pinned, view, quantities, objectives, derived, rules, buffer } = bench;
  const { engines } = view;
  // An answer that comes at once should not make its curve blink.
  const [late] = useDebouncedValue(bench.late, 300);
  return useMemo(() => {
    const markers: Marker[] = rules
      .filter(({ explanation }) => explanation.valid || explanation.name.startsWith("bdp"))
      .map(({ explanation: { name, title, value } }) => ({
        name,
        label: shortLabel(name, title),
        value,
        chosen: false,
      }));
    if (buffer !== undefined) markers.push({ name: "", label: "chosen", value: buffer, chosen: true });
    return { points, pinned, engines, quantities, objectives, markers, derived, late };
  }, [points, pinned, engines, quantities, objectives, derived, rules, buffer, late]);
}
