import { Tooltip, useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo } from "react";

import classes from "./ecn.module.css";
import { Sign } from "./Sign";
import { ADVICE, busyness, outcome, settings, type EcnQuestion, type Thresholds } from "@/lib/ecn";
import { ecnFigure, drawnIn, insideOf, placeOf, sceneOf } from "@/lib/ecnFigure";
import { placeLabels } from "@/lib/labels2d";
import { palettes } from "@/lib/palette";
import { sampled, type PlotText } from "@/lib/plotText";
import { formatQuantity } from "@/lib/quantity";
import { Plot } from "@/plot/Plot";

type Props = {
  question: EcnQuestion;
  curve: Thresholds[];
  /** What was advised, if anything, and what is shipped. */
  points: Thresholds[];
  chosen: string;
  onChoose: (name: string) => void;
};

const nothing = () => {};

/** Queue and utilisation over Kmax, with what was advised and what is shipped as marks that can be picked. */
export function TradeOff({ question, curve, points, chosen, onChoose }: Props) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const scene = useMemo(
    () => sceneOf(curve, points, question, width, height),
    [curve, points, question, width, height],
  );
  const figure = useMemo(() => ecnFigure(curve, question, scene, palettes[scheme]), [curve, question, scene, scheme]);
  const text = useMemo(
    (): PlotText => ({
      summary:
        "Queue and utilisation over Kmax, along the ramp that is searched. The advised and the shipped " +
        "thresholds are in the table below.",
      columns: ["Kmax", "Peak queue", "Utilisation"],
      rows: sampled(curve).map((one) => [
        formatQuantity(one.kmax, "B"),
        formatQuantity(one.queue_max, "B"),
        busyness(one.utilisation),
      ]),
    }),
    [curve],
  );
  const places = points.map((one) => placeOf(one, scene));
  const labels = placeLabels(
    places.map((place, i) => ({ ...place, width: title(points[i]).length * 5.9 })),
    insideOf(scene),
    drawnIn(curve, question, scene),
  );
  return (
    <div ref={ref} className={classes.plot} role="group" aria-label="Queue and utilisation over Kmax">
      {width > 0 && (
        <>
          <Plot figure={figure} text={text} onRange={nothing} onName={nothing} />
          {points.map((one, i) => {
            const { x, y } = places[i] ?? { x: 0, y: 0 };
            const anchor = labels[i];
            const [dx, dy] =
              anchor === "right" ? [9, 0] : anchor === "left" ? [-9, 0] : [0, anchor === "above" ? -9 : 9];
            return (
              <div key={one.name}>
                <Tooltip
                  label={<Tip one={one} question={question} />}
                  multiline
                  w={290}
                  events={{ hover: true, focus: true, touch: false }}
                  transitionProps={{ duration: 60 }}
                >
                  <button
                    type="button"
                    className={classes.mark}
                    style={{ left: x, top: y }}
                    data-advice={one.name === ADVICE}
                    data-meets={one.meets}
                    aria-pressed={chosen === one.name}
                    aria-label={
                      `${title(one)}: ${settings(one)}, ` +
                      (one.meets ? "meets the targets" : "does not meet the targets")
                    }
                    onClick={() => {
                      onChoose(one.name);
                    }}
                  >
                    <Sign advice={one.name === ADVICE} meets={one.meets} />
                  </button>
                </Tooltip>
                {anchor !== undefined && (
                  <span
                    className={classes.label}
                    data-anchor={anchor}
                    style={{ left: x + dx, top: y + dy }}
                    aria-hidden="true"
                  >
                    {title(one)}
                  </span>
                )}
              </div>
            );
          })}
        </>
      )}
    </div>
  );
}

const title = (one: Thresholds | undefined) => (one === undefined ? "" : one.name === ADVICE ? "Advice" : one.name);

function Tip({ one, question }: { one: Thresholds; question: EcnQuestion }) {
  return (
    <div className={classes.tip}>
      <p>
        <b>{title(one)}</b> {settings(one)}
      </p>
      <p>{outcome(one, question.speed)}.</p>
      {one.meets ? <p>Meets the targets.</p> : one.reasons.map((reason) => <p key={reason}>✕ {reason}</p>)}
    </div>
  );
}
