import { useMemo } from "react";

import classes from "./distributions.module.css";
import { Save } from "./Save";
import { bandwidthCurves, estimating, lastEstimates, pathsCsv, roundTripCurves } from "@/lib/flowPaths";
import { MOST, type Windows } from "@/lib/flowSteps";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { CurvePlot } from "@/plot/CurvePlot";

const TIME = { title: "Time", unit: "s" };

/** The bandwidth and the shortest round trip that each BBR flow estimates, beside the true values. */
export function FlowPaths({ windows }: { windows: Windows }) {
  const bandwidth = useMemo(() => bandwidthCurves(windows), [windows]);
  const trips = useMemo(() => roundTripCurves(windows), [windows]);
  const last = lastEstimates(windows);
  const all = estimating(windows).length;
  const flows = all > MOST ? `the first ${MOST} of ${all} flows` : all === 1 ? "one flow" : `${all} flows`;
  return (
    <section className={classes.distribution} aria-label="Estimates of each BBR flow over time">
      {last !== undefined && (
        <p>
          At {formatQuantity(last.time, "s")} the estimates of bandwidth add up to {significant(last.share, 3)} times
          what the flows get, and the shortest round trips measured are {spanOf(last.excess)} times the path’s without a
          queue. A flow keeps about twice the product of its two estimates in flight: what the path does not hold waits
          in the buffer.
        </p>
      )}
      <CurvePlot
        summary={`Bandwidth that ${flows} estimate over time, as payload, and the mean goodput of a flow.`}
        x={TIME}
        y={{ title: "Bandwidth", unit: "bit/s" }}
        curves={bandwidth}
        height={230}
      />
      <CurvePlot
        summary={`Shortest round trip that ${flows} have measured, and the round trip with empty queues.`}
        x={TIME}
        y={{ title: "Shortest RTT", unit: "s" }}
        curves={trips}
        height={230}
      />
      <Save name="footroom-estimates.csv" content={() => pathsCsv(windows)} />
    </section>
  );
}

function spanOf([low = 1, high = 1]: readonly number[]): string {
  const [least, most] = [significant(low, 3), significant(high, 3)];
  return least === most ? least : `${least}–${most}`;
}
