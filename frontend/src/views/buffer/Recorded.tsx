import { Link } from "@tanstack/react-router";

import classes from "./recorded.module.css";
import { FlowPaths, FlowRates, QueueShares, SizeSlowdowns } from "@/features/distributions";
import { PauseTable } from "@/features/lossless";
import { ScalingNote } from "@/features/scaling";
import { WindowScatter } from "@/views/buffer/windows";
import { sharingCodec } from "@/lib/emulation";
import { estimating } from "@/lib/flowPaths";
import { bufferOf, nearest } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { setPath } from "@/lib/path";
import { BUFFER } from "@/lib/sweep";
import { pathOf } from "@/lib/views";
import { fabricCodec } from "@/state/useFabric";
import type { Workbench } from "@/views/buffer/state/useWorkbench";

const BESIDE =
  "Only the packet simulation is scaled; theory and fluid are at full size. Each packet point is " +
  "drawn at its full-size buffer, its queue as the one with the same drain time at full rate.";

/** What the packet run nearest to the chosen buffer recorded besides its metrics, where the scenario asks for it. */
export function Recorded({ bench: { points, buffer, view, scaling: asked } }: { bench: Workbench }) {
  const first = points.find(({ result }) => result.engine === "packet");
  const size = buffer ?? (first === undefined ? undefined : bufferOf(first));
  const result = size === undefined || !view.engines.includes("packet") ? undefined : nearest(points, "packet", size);
  if (result === undefined) return asked === undefined ? null : <ScalingNote scaling={asked} beside={BESIDE} />;
  const { series, steps, timeline, scaling, scenario, priority_groups: groups } = result.result;
  const { queue_distribution: queues, completions_by_size: sizes } = result.result;
  const at = formatQuantity(bufferOf(result) ?? 0, "B");
  return (
    <>
      {scaling !== undefined && scaling !== null && <ScalingNote scaling={scaling} beside={BESIDE} />}
      {groups !== undefined && groups !== null && <PauseTable groups={groups} />}
      {series !== undefined && series !== null && (
        <details className={classes.recorded}>
          <summary>Drops against utilisation, window by window, at {at}</summary>
          <WindowScatter windows={series} />
        </details>
      )}
      {series !== undefined && series !== null && series.flows.length > 0 && (
        <details className={classes.recorded} open={steps !== undefined && steps !== null}>
          <summary>Rate of each flow over time, at {at}</summary>
          <FlowRates windows={series} steps={steps ?? undefined} />
        </details>
      )}
      {series !== undefined && series !== null && estimating(series).length > 0 && (
        <details className={classes.recorded}>
          <summary>Bandwidth and round trip that each BBR flow estimates, at {at}</summary>
          <FlowPaths windows={series} />
        </details>
      )}
      {queues !== undefined && queues !== null && (
        <details className={classes.recorded}>
          <summary>Distribution of queue length over time, at {at}</summary>
          <QueueShares queues={queues} />
        </details>
      )}
      {sizes !== undefined && sizes !== null && (
        <details className={classes.recorded}>
          <summary>Completion times and slowdown by size, at {at}</summary>
          <SizeSlowdowns rows={sizes} />
        </details>
      )}
      <p className={classes.link}>
        <Link
          to={pathOf("fabric")}
          search={{ query: fabricCodec.encode({ scenario: setPath(scenario, BUFFER, result.at[BUFFER] ?? null) }) }}
        >
          Queues, pauses and flows of every port over time at {at}
        </Link>
      </p>
      {timeline !== undefined && timeline !== null && (
        <p className={classes.link}>
          <Link
            to={pathOf("sharing")}
            search={{
              query: sharingCodec.encode({
                page: { mode: "run" },
                run: { ...(view.from === undefined ? { preset: view.preset } : { from: view.from }), scenario },
              }),
            }}
          >
            Queue and threshold over time at {at}
          </Link>
        </p>
      )}
    </>
  );
}
