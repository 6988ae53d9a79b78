/**
 * Why a model's smallest buffer differs from that of packets, read off the results of both at the size that packets
 * need.
 */
import { capital, plain, type Units } from "@/lib/answerWords";
import { significant, times } from "@/lib/number";
import type { Objective } from "@/lib/objectives";
import { isLog } from "@/lib/metrics";
import { getPath, type JsonObject } from "@/lib/path";
import { bufferOf, type Point, type Result } from "@/lib/points";
import { plainText } from "@/lib/problems";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { readingOf } from "@/lib/reading";

/** Share of lost packets that end in a timeout, and mean window, from which the cause is named. */
const TIMEOUTS = 0.05;
const SMALL_WINDOW = 6;
/** Points of utilisation, and ratio of drop rates, from which a difference at one size has a cause of its own. */
const POINTS = 0.005;
const RATIO = 1.15;
/** Cycles of a flow after which a run no longer depends on its slow start. */
const SETTLED = 10;

type Metrics = Record<string, number>;

/** What the scenario has to do with it; undefined where it is not one bottleneck of long flows. */
type Shape = {
  product: number;
  packet: number;
  flows: number;
  trip: number;
  spread: number;
  paced: boolean;
  law: JsonObject;
  measured: number;
};

function shapeOf(scenario: JsonObject): Shape | undefined {
  const number = (path: string) => {
    const value = getPath(scenario, path);
    return typeof value === "number" ? value : undefined;
  };
  const traffic = getPath(scenario, "traffic");
  const entries = Array.isArray(traffic) ? (traffic as JsonObject[]) : [];
  const [rate, trip, packet] = [number("topology.bottleneck"), number("topology.rtt"), number("run.mtu")];
  const flows = entries.reduce((sum, entry) => sum + (typeof entry.flows === "number" ? entry.flows : NaN), 0);
  const law = entries[0]?.congestion as JsonObject | undefined;
  if (rate === undefined || trip === undefined || packet === undefined || law === undefined || !(flows > 0))
    return undefined;
  return {
    product: (rate * trip) / 8,
    packet,
    flows,
    trip,
    law,
    spread: number("topology.rtt_spread") ?? 0,
    paced: entries.every((entry) => getPath(entry, "host.pacing") === true),
    measured: (number("run.duration") ?? Infinity) - (number("run.warmup") ?? 0),
  };
}

/** The model's result at the swept size nearest to `size`; undefined where none is near. */
function modelAt(points: Point[], engine: string, size: number): Result | undefined {
  const off = (point: Point) => Math.abs(Math.log((bufferOf(point) ?? 0) / size));
  const [nearest] = points.filter(({ result }) => result.engine === engine).toSorted((a, b) => off(a) - off(b));
  return nearest !== undefined && off(nearest) < 0.25 ? nearest.result : undefined;
}

/** "At 835 kB it has utilisation 99.2 %, packets have 98.6 %: …" */
export function whyDiffer(
  engine: string,
  points: Point[],
  size: number,
  packets: Metrics | undefined,
  objective: Objective | undefined,
  units: Units,
): string {
  const model = modelAt(points, engine, size);
  if (model === undefined || packets === undefined || objective === undefined) return "";
  const { metric } = objective;
  const own = readingOf(points, engine, metric, size, isLog(metric))?.value;
  const measured = packets[metric];
  if (own === undefined || measured === undefined) return "";
  const show = (value: number) => formatMetric(metric, value, units[metric]?.unit ?? "1");
  const shown =
    `At ${formatQuantity(size, "B")} its ${plain(metric)} is ${show(own)}, ` + `that of packets ${show(measured)}`;
  const named = causes(engine, model, packets, metric);
  if (named.length > 0) return `${shown}: ${named.slice(0, 2).join("; ")}.`;
  const close =
    metric === "utilisation"
      ? Math.abs(own - measured) < POINTS
      : own > 0 && measured > 0 && own / measured < RATIO && measured / own < RATIO;
  const flat = close ? ": they agree, and the curve is so flat there that a small difference moves the size" : "";
  return `${shown}${flat}.`;
}

/** What explains the difference, the strongest first. */
function causes(engine: string, model: Result, packets: Metrics, metric: string): string[] {
  const found: string[] = [];
  const outside = model.outside_validity[metric];
  if (outside !== undefined)
    found.push(`the model does not hold there. ${capital(plainText(outside)).replace(/\.$/, "")}`);
  const losses = packets.retransmissions ?? 0;
  const share = losses > 0 ? (packets.timeouts ?? 0) / losses : 0;
  if (share > TIMEOUTS)
    found.push(
      `${String(Math.round(100 * share))} in 100 packets that are sent again wait for a timeout, ` +
        `which ${engine} ${engine === "fluid" ? "counts in part" : "leaves out"}`,
    );
  const shape = shapeOf(model.scenario);
  if (shape === undefined) return found;
  const window = ((packets.utilisation ?? 1) * shape.product + (packets.queue_mean ?? 0)) / shape.packet / shape.flows;
  if (window < SMALL_WINDOW)
    found.push(`windows have ${significant(window, 2)} packets on average, so that cuts come in whole packets`);
  const behind = (model.metrics.utilisation ?? 0) - (packets.utilisation ?? 0);
  const more = (packets.drop_rate ?? 0) / Math.max(model.metrics.drop_rate ?? 0, 1e-12);
  const several = shape.flows > 1;
  if (several && shape.spread === 0 && behind > POINTS)
    found.push(
      `all round trips are equal, so that more flows lose at once than by chance, and all fall ` +
        `together: ${significant(100 * behind, 2)} points of utilisation`,
    );
  if (several && shape.spread > 0 && !shape.paced && more > RATIO)
    found.push(`senders do not pace, and bursts of flows with different round trips collide: ${times(more)} the drops`);
  if (several && shape.spread > 0 && !shape.paced && more <= RATIO && behind > POINTS)
    found.push(
      `bursts of flows with different round trips collide before the link is full: ` +
        `${significant(100 * behind, 2)} points of utilisation`,
    );
  if (shape.law.kind === "cubic" && shape.law.friendly_steepens === true && engine === "theory")
    found.push("the closed form keeps the slope of the Reno-friendly window, which steepens here above the last loss");
  const cycle = (window / 2) * (shape.trip + (packets.queue_mean ?? 0) / (shape.product / shape.trip));
  if (shape.law.kind === "newreno" && shape.measured < SETTLED * cycle)
    found.push(
      `packets were measured for ${significant(shape.measured / cycle, 2)} cycles of a flow only, so ` +
        `that their slow start still counts`,
    );
  return found;
}
