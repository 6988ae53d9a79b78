import { useMemo } from "react";

import classes from "./distributions.module.css";
import { Save } from "./Save";
import {
  fairnessCurve,
  meanFairness,
  MOST,
  rateCurves,
  ratesCsv,
  stepMarks,
  type Step,
  type Windows,
} from "@/lib/flowSteps";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { CurvePlot } from "@/plot/CurvePlot";

const TIME = { title: "Time", unit: "s" };

type Props = { windows: Windows; steps: readonly Step[] | undefined };

/** Each long-lived flow's goodput over time; where flows join and leave, also how fair every step was. */
export function FlowRates({ windows, steps = [] }: Props) {
  const curves = useMemo(() => rateCurves(windows), [windows]);
  const marks = useMemo(() => stepMarks(steps), [steps]);
  const fair = useMemo(() => fairnessCurve(steps), [steps]);
  const mean = meanFairness(steps);
  const all = windows.flows.length;
  return (
    <section className={classes.distribution} aria-label="Rate of each flow over time">
      <CurvePlot
        summary={
          `Goodput of ${all > MOST ? `the first ${MOST} of ${all}` : all} flows over time, averaged over ` +
          `${formatQuantity(windows.window, "s")}; lines mark where flows join (+) and leave (−).`
        }
        x={TIME}
        y={{ title: "Goodput", unit: "bit/s" }}
        curves={curves}
        marks={marks}
        height={250}
      />
      {fair.samples.length > 0 && (
        <>
          <CurvePlot
            summary="Jain's index of the flows' goodput, step by step: 1 when all get the same."
            x={TIME}
            y={{ title: "Jain's index", unit: "1" }}
            curves={[fair]}
            height={150}
          />
          {mean !== undefined && <p>Jain's index is {significant(mean, 3)} on average over time.</p>}
        </>
      )}
      {steps.length > 0 && <Steps steps={steps} />}
      <Save name="footroom-rates.csv" content={() => ratesCsv(windows)} />
    </section>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Steps: active flows, the rate of each, and fairness</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Flows</th>
          <th scope="col">Minimum</th>
          <th scope="col">Maximum</th>
          <th scope="col">Jain's index</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ start, end, flows, fairness }) => (
          <tr key={start}>
            <th scope="row">
              {formatQuantity(start, "s")} to {formatQuantity(end, "s")}
            </th>
            <td>{flows.length}</td>
            <td>{flows.length === 0 ? "–" : formatQuantity(Math.min(...flows.map(rateOf)), "bit/s")}</td>
            <td>{flows.length === 0 ? "–" : formatQuantity(Math.max(...flows.map(rateOf)), "bit/s")}</td>
            <td>{fairness === null ? "–" : significant(fairness, 3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const rateOf = ({ goodput }: Step["flows"][number]) => goodput;
