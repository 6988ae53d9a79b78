import { useMemo } from "react";

import { MODELS, trusted, type ControlsRow } from "@/lib/controls";
import { CurvePlot, type Curve } from "@/plot/CurvePlot";
import type { ControlsBench } from "@/answers/byControl/useControls";

const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const COLOURS = ["current", "pinned"] as const;
/** Most curves drawn of one model: more cannot be distinguished. */
const MOST = 8;

/** The smallest buffer over the number of flows, one curve per control, with the rules of thumb. */
export function ControlsPlot({
  bench: { rows, rules, controls, working },
  engine,
}: {
  bench: ControlsBench;
  engine: string;
}) {
  const curves = useMemo((): Curve[] => {
    const drawn = controls.flatMap(({ control, title }) => {
      const samples = rows
        .filter((row) => row.control === control && row.engine === engine && row.flows !== null && trusted(row))
        .map((row) => ({ x: row.flows ?? 1, y: row.value ?? 0, ...ends(row) }))
        .toSorted((a, b) => a.x - b.x);
      // One sample alone draws nothing.
      return samples.length > 1 ? [{ title, samples }] : [];
    });
    const lines = drawn.slice(0, MOST).map(({ title, samples }, i): Curve => ({
      name: title,
      engine,
      samples,
      colour: COLOURS[i % COLOURS.length] ?? "current",
      dash: DASHES[Math.floor(i / COLOURS.length)] ?? "",
    }));
    const named = ["bdp", "bdp_over_root_n"].flatMap((name): Curve[] => {
      const own = rules.filter((rule) => rule.name === name && rule.flows !== null);
      const [first] = own;
      return first === undefined || own.length < 2
        ? []
        : [
            {
              name: first.title,
              engine: "theory",
              colour: "other",
              dash: name === "bdp" ? "1 4" : "1 7",
              samples: own.map((rule) => ({ x: rule.flows ?? 1, y: rule.value })),
            },
          ];
    });
    return [...lines, ...named];
  }, [rows, rules, controls, engine]);
  // Cancelled before the first value, there is nothing to draw.
  if (curves.length === 0 && !working) return null;
  return (
    <CurvePlot
      summary={
        `Smallest buffer against the number of flows, by the ${MODELS[engine] ?? engine}, one curve per congestion ` +
        "control, with the rules of thumb. Values outside the model's validity are not drawn."
      }
      x={{ title: "Long-lived flows", unit: "1", log: true }}
      y={{ title: "Smallest buffer", unit: "B", log: true }}
      curves={curves}
      height={320}
      waiting={working}
    />
  );
}

const ends = ({ engine, interval }: ControlsRow) =>
  engine === "packet" && interval !== null ? { low: interval[0], high: interval[1] } : {};
