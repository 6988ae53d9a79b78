import type { KeyboardEvent } from "react";

import type { ChartsInput } from "./Charts";
import classes from "./results.module.css";
import { xPixel, type Geometry } from "@/lib/geometry";
import { grouped } from "@/lib/number";
import { enginesOf } from "@/lib/points";
import { formatMetric, formatQuantity } from "@/lib/quantity";
import { readingOf } from "@/lib/reading";

type Props = {
  at: number | undefined;
  hovering: boolean;
  sizes: number[];
  range: [number, number];
  geometry: Geometry;
  input: ChartsInput;
  onMove: (size: number | undefined) => void;
  onChoose: (size: number) => void;
};

/** The line through all plots and its size. The arrow keys move it, Enter chooses the size. */
export function Crosshair({ at, hovering, sizes, range, geometry, input, onMove, onChoose }: Props) {
  if (at === undefined || at < range[0] || at > range[1] || sizes.length === 0) return null;
  const x = xPixel(at, range, geometry);
  const last = geometry.plots[geometry.plots.length - 1] ?? { top: 0, height: 0 };
  const top = geometry.strip.top + geometry.strip.height;
  const bottom = last.top + last.height;

  const onKey = (event: KeyboardEvent) => {
    const index = sizes.findIndex((size) => size >= at * 0.9999);
    const exact = Math.abs((sizes[index] ?? 0) / at - 1) < 1e-3;
    const moves: Record<string, number | undefined> = {
      ArrowRight: exact ? index + 1 : index,
      ArrowLeft: (index < 0 ? sizes.length : index) - 1,
      Home: 0,
      End: sizes.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      onMove(sizes[Math.min(Math.max(next, 0), sizes.length - 1)]);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) onChoose(at);
  };

  const { mtu, capacity } = input.derived;
  const size = formatQuantity(at, "B");
  return (
    <>
      <div className={classes.hair} data-hovering={hovering} style={{ left: x, top, height: bottom - top }} />
      <div
        role="slider"
        tabIndex={0}
        className={classes.tag}
        data-hovering={hovering}
        style={{
          left: Math.min(Math.max(x, geometry.left + 78), geometry.width - geometry.right - 78),
          top: bottom + 3,
        }}
        aria-label="Buffer under the cross-hair"
        aria-valuemin={sizes[0] ?? at}
        aria-valuemax={sizes[sizes.length - 1] ?? at}
        aria-valuenow={at}
        aria-valuetext={`${size}. ${spoken(input, at)}`}
        onKeyDown={onKey}
        onBlur={() => {
          onMove(undefined);
        }}
      >
        <b>{size}</b>
        {mtu !== undefined && <span>{grouped(at / mtu)} pkt</span>}
        {capacity !== undefined && <span>{formatQuantity((8 * at) / capacity, "s")}</span>}
      </div>
    </>
  );
}

/** The read-out for a screen reader. */
function spoken({ points, engines, quantities }: ChartsInput, at: number): string {
  return quantities
    .map(({ id, title, metric, tail, unit, scale, log }) => {
      const values = enginesOf(points)
        .filter((engine) => engines.includes(engine))
        .flatMap((engine) => {
          const say = (name: string | undefined) => {
            const reading = name === undefined ? undefined : readingOf(points, engine, name, at, log);
            if (reading === undefined) return undefined;
            const { value, interval, size, outside } = reading;
            const where = size === undefined ? "" : ` at ${formatQuantity(size, "B")}`;
            const validity = outside === undefined ? "" : " (outside the model's validity)";
            return `${formatMetric(id, value * scale, unit, (interval?.[1] ?? 0) * scale)}${where}${validity}`;
          };
          const [value, late] = [say(metric), say(tail)];
          return value === undefined
            ? []
            : [`${engine} ${value}${late === undefined ? "" : `, 99th percentile ${late}`}`];
        });
      return values.length === 0 ? `${title}: no value` : `${title}: ${values.join(", ")}`;
    })
    .join(". ");
}
