import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";

import classes from "./map.module.css";
import type { StabilityAnswer } from "@/views/stability/api";
import { courseFigure, shownTime } from "@/views/stability/lib/courseFigure";
import { palettes } from "@/lib/palette";
import { sampled, type PlotText } from "@/lib/plotText";
import { formatQuantity } from "@/lib/quantity";
import { pushOf, verdictOf } from "@/views/stability/lib/stabilityWords";
import { Plot } from "@/plot/Plot";

type Props = {
  answer: StabilityAnswer;
  /** Where on the map, in words; undefined at the scenario itself. */
  where: string | undefined;
  stale: boolean;
  onTake: () => void;
  onBack: () => void;
};

const nothing = () => {};

/** The delay equations followed over time at one point of the map, with the verdict on it. */
export function Course({ answer, where, stale, onTake, onBack }: Props) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const { trajectory, fixed_point: point, rightmost, reason } = answer;
  const period = answer.cycle?.period ?? undefined;
  const [whole, setWhole] = useState(false);
  const end =
    trajectory === undefined
      ? 0
      : whole
        ? (trajectory.time.at(-1) ?? 0)
        : shownTime(trajectory.time, rightmost ?? undefined, period);
  const figure = useMemo(
    () =>
      trajectory === undefined
        ? undefined
        : courseFigure(trajectory, end, point.queue, width, height, palettes[scheme]),
    [trajectory, end, point.queue, width, height, scheme],
  );
  const text = useMemo((): PlotText => {
    const steps =
      trajectory === undefined
        ? []
        : trajectory.time
            .map((time, i) => ({ time, queue: trajectory.queue[i] ?? 0 }))
            .filter(({ time }) => time <= end);
    return {
      summary: "Queue over time from the delay equations.",
      columns: ["Time", "Queue"],
      rows: sampled(steps).map(({ time, queue }) => [formatQuantity(time, "s"), formatQuantity(queue, "B")]),
    };
  }, [trajectory, end]);
  return (
    <section className={classes.course} data-stale={stale} aria-label="Queue over time">
      <header>
        <h2>{where === undefined ? "At the scenario" : `At ${where}`}</h2>
        <p>
          {verdictOf(answer)}. {rightmost !== undefined ? `A small disturbance ${pushOf(rightmost)}. ` : ""}
          {reason !== undefined && `There is no linear answer: ${reason}. `}
          {trajectory !== undefined && `Drawn: ${trajectory.start}.`}
        </p>
        <p>
          <button
            type="button"
            className={classes.take}
            onClick={() => {
              setWhole(!whole);
            }}
          >
            {whole ? "Show the beginning" : "Show the whole run"}
          </button>
          {where !== undefined && (
            <>
              <button type="button" className={classes.take} onClick={onTake}>
                Use these values in the scenario
              </button>
              <button type="button" className={classes.take} onClick={onBack}>
                Back to the scenario
              </button>
            </>
          )}
        </p>
      </header>
      <div ref={ref} className={classes.plot}>
        {width > 0 && figure !== undefined && <Plot figure={figure} text={text} onRange={nothing} onName={nothing} />}
      </div>
    </section>
  );
}
