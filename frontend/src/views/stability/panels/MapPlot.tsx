import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState, type KeyboardEvent, type PointerEvent } from "react";

import { CellLayer } from "./CellLayer";
import classes from "./map.module.css";
import { colourOf, growthScale } from "@/lib/diverging";
import { showField, type MapAxis } from "@/views/stability/lib/mapAxes";
import { nearestIndex, sketched, type Cell, type Cells } from "@/views/stability/lib/mapCells";
import { cellUnder, sideOf } from "@/views/stability/lib/mapScene";
import { formatQuantity } from "@/lib/quantity";
import { pushOf } from "@/views/stability/lib/stabilityWords";

type Props = {
  map: { x: MapAxis; y: MapAxis; xs: number[]; ys: number[]; cells: Cells };
  /** Values of both axes at the cell that is looked at. */
  chosen: [number, number] | undefined;
  stale: boolean;
  /** Blocks still to come. */
  left: number | undefined;
  onChoose: (x: number, y: number) => void;
};

const [LEFT, RIGHT, TOP, BOTTOM] = [66, 16, 24, 40];

/** Growth of a small disturbance over two fields, the border of stability, and the scenario's own place. */
export function MapPlot({ map, chosen, stale, left, onChoose }: Props) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const [pointed, setPointed] = useState<[number, number]>();
  const { x, y, xs, ys, cells } = map;
  const across = useMemo(
    () => sideOf(xs, LEFT, width - RIGHT, (value) => showField(x.field, value, 1), Math.max(3, Math.floor(width / 80))),
    [xs, x.field, width],
  );
  const up = useMemo(
    () =>
      sideOf(ys, height - BOTTOM, TOP, (value) => showField(y.field, value, 1), Math.max(3, Math.floor(height / 40))),
    [ys, y.field, height],
  );
  const growth = useMemo(
    () => growthScale(cells.flat().flatMap((cell) => (cell?.reason === "" ? [cell.growth] : []))),
    [cells],
  );
  const filled = useMemo(() => sketched(cells), [cells]);

  const at: [number, number] | undefined =
    chosen === undefined ? undefined : [nearestIndex(xs, chosen[0]), nearestIndex(ys, chosen[1])];
  const own: [number, number] = [nearestIndex(xs, x.field.value), nearestIndex(ys, y.field.value)];
  const shown = pointed ?? at ?? own;
  const cell = filled?.[shown[1]]?.[shown[0]];

  const under = (event: PointerEvent<HTMLElement>): [number, number] | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    const [i, j] = [cellUnder(across.edges, event.clientX - box.left), cellUnder(up.edges, event.clientY - box.top)];
    return i === undefined || j === undefined ? undefined : [i, j];
  };
  const choose = ([i, j]: [number, number]) => {
    onChoose(xs[i] ?? 0, ys[j] ?? 0);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = keys[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const [i, j] = at ?? own;
    const fast = event.shiftKey ? 5 : 1;
    setPointed(undefined);
    choose([clamp(i + fast * step[0], xs.length), clamp(j + fast * step[1], ys.length)]);
  };
  const box = ([i, j]: [number, number]) => {
    const [a = 0, b = 0, c = 0, d = 0] = [across.edges[i], across.edges[i + 1], up.edges[j], up.edges[j + 1]];
    return { x: a, y: Math.min(c, d), width: b - a, height: Math.abs(d - c) };
  };
  const [ox, oy] = [across.at(x.field.value), up.at(y.field.value)];
  const ownInside = ox >= LEFT && ox <= width - RIGHT && oy >= TOP && oy <= height - BOTTOM;
  return (
    <>
      <div
        ref={ref}
        className={classes.map}
        data-stale={stale}
        role="application"
        tabIndex={0}
        aria-roledescription="map"
        aria-label={
          `Stability over ${x.field.label} and ${y.field.label}. The arrow keys move the chosen cell, ` +
          `with Shift by five.`
        }
        aria-describedby="map-cell"
        onPointerMove={(event) => {
          const next = under(event);
          if (next?.join() !== pointed?.join()) setPointed(next);
        }}
        onPointerLeave={() => {
          setPointed(undefined);
        }}
        onClick={(event) => {
          const next = under(event as unknown as PointerEvent<HTMLElement>);
          if (next !== undefined) choose(next);
        }}
        onKeyDown={onKey}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <defs>
              <pattern id="no-rest" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="6" height="6" className={classes.hatched} />
                <line x1="0" y1="0" x2="0" y2="6" className={classes.hatch} />
              </pattern>
            </defs>
            <CellLayer cells={cells} across={across} up={up} growth={growth} scheme={scheme} />
            <rect
              className={classes.outline}
              x={LEFT}
              y={TOP}
              width={Math.max(0, width - LEFT - RIGHT)}
              height={Math.max(0, height - TOP - BOTTOM)}
            />
            {across.ticks.map(({ place, text }) => (
              <g key={text}>
                <line x1={place} x2={place} y1={height - BOTTOM} y2={height - BOTTOM + 4} stroke="var(--line)" />
                <text className={classes.ink} x={place} y={height - BOTTOM + 16} textAnchor="middle">
                  {text}
                </text>
              </g>
            ))}
            {up.ticks.map(({ place, text }) => (
              <text key={text} x={LEFT - 6} y={place + 4} textAnchor="end">
                {text}
              </text>
            ))}
            <text className={classes.title} x={width - RIGHT} y={height - 6} textAnchor="end">
              {x.field.label}
            </text>
            <text className={classes.title} x={LEFT} y={15}>
              {y.field.label}
            </text>
            {ownInside &&
              [classes.ownHalo, classes.own].map((look) => (
                <path key={look} className={look} d={`M${ox - 7} ${oy}H${ox + 7}M${ox} ${oy - 7}V${oy + 7}`} />
              ))}
            {at !== undefined && (
              <>
                <rect className={classes.chosenHalo} {...box(at)} />
                <rect className={classes.chosen} {...box(at)} />
              </>
            )}
            {pointed !== undefined && <rect className={classes.pointed} {...box(pointed)} />}
          </svg>
        )}
      </div>
      <div className={classes.readout}>
        <p id="map-cell" aria-live="polite">
          <b>
            {x.field.label} {showField(x.field, xs[shown[0]] ?? 0)}, {y.field.label}{" "}
            {showField(y.field, ys[shown[1]] ?? 0)}:
          </b>{" "}
          {cell === undefined ? "being computed" : cellWords(cell)}
        </p>
        <div className={classes.legend} aria-hidden="true">
          decays
          <span
            className={classes.ramp}
            style={{
              background:
                `linear-gradient(90deg, ` +
                `${[-1, -0.4, 0, 0.4, 1].map((step) => colourOf(step, scheme)).join(", ")})`,
            }}
          />
          grows
          <span className={classes.hatchKey} /> no fixed point
        </div>
        {left !== undefined && left > 0 && <span className={classes.progress}>computing, {left} blocks left</span>}
      </div>
    </>
  );
}

const keys: Record<string, [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  Home: [-1000, 0],
  End: [1000, 0],
  PageUp: [0, 5],
  PageDown: [0, -5],
};

const clamp = (index: number, count: number) => Math.min(Math.max(index, 0), count - 1);

function cellWords({ growth, queue, reason }: Cell): string {
  if (reason !== "" || growth === null) return reason === "" ? "no verdict" : reason;
  const rest = queue === null ? "" : `, equilibrium queue ${formatQuantity(queue, "B")}`;
  return `${growth < 0 ? "stable" : "unstable"}: a small disturbance ${pushOf([growth])}${rest}`;
}
