import { useEffect, useId, useMemo, useState } from "react";

import { Drawing } from "./Drawing";
import classes from "./fabric.module.css";
import {
  busyPorts,
  classesOf,
  frameOf,
  framesCsv,
  frameWords,
  longestQueue,
  portName,
  type Deadlock,
  type Fabric,
  type PortState,
} from "@/lib/fabric";
import { layoutOf, type Layout, type Place } from "@/views/fabric/lib/fabricLayout";
import { formatQuantity } from "@/lib/quantity";

/** Between two frames while it plays [ms]. */
const PACE = 120;
/** Ports listed beside the drawing. */
const SHOWN = 10;

/** Nodes and links with queues and pauses at one time; a slider moves through the run. */
export function Topology({ fabric, deadlock }: { fabric: Fabric; deadlock?: Deadlock | null | undefined }) {
  const cycle = useMemo(() => new Set((deadlock?.cycle ?? []).map(({ port }) => port)), [deadlock]);
  const last = Math.max(fabric.time.length - 1, 0);
  const [frame, setFrame] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [klass, setKlass] = useState<number>();
  const id = useId();
  const layout = useMemo(() => layoutOf(fabric), [fabric]);
  const most = useMemo(() => longestQueue(fabric, klass), [fabric, klass]);
  const at = Math.min(frame, last);
  const states = useMemo(() => frameOf(fabric, at, klass), [fabric, at, klass]);
  const words = frameWords(fabric, at, states);
  const moving = playing && at < last;
  useEffect(() => {
    if (!moving) return;
    const timer = window.setInterval(() => {
      setFrame((one) => Math.min(one + 1, last));
    }, PACE);
    return () => {
      window.clearInterval(timer);
    };
  }, [moving, last]);
  if (fabric.time.length === 0) return <p className={classes.text}>The run ended before the first recorded step.</p>;
  return (
    <Drawing name="topology" title="Queues and pauses over time" csv={() => framesCsv(fabric)}>
      <div className={classes.controls}>
        <button
          type="button"
          className={classes.play}
          onClick={() => {
            if (at === last) setFrame(0);
            setPlaying(!moving);
          }}
        >
          {moving ? "Pause" : "Play"}
        </button>
        <label htmlFor={id}>Time</label>
        <input
          id={id}
          type="range"
          min={0}
          max={last}
          value={at}
          aria-valuetext={words}
          onChange={({ currentTarget }) => {
            setPlaying(false);
            setFrame(Number(currentTarget.value));
          }}
        />
        <output htmlFor={id}>{formatQuantity(fabric.time[at] ?? 0, "s", 4)}</output>
        <label>
          Class{" "}
          <select
            value={klass ?? ""}
            onChange={({ currentTarget }) => {
              setKlass(currentTarget.value === "" ? undefined : Number(currentTarget.value));
            }}
          >
            <option value="">all</option>
            {classesOf(fabric).map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={classes.wide} tabIndex={0} role="group" aria-label="Drawing of the fabric">
        <Picture layout={layout} states={states} most={most} cycle={cycle} />
      </div>
      <p className={classes.legend}>
        <span data-kind="queue">
          queue, the wider the longer; {formatQuantity(most, "B")} is the longest of the run
        </span>
        <span data-kind="paused">paused</span>
        {layout.joined && <span>The hosts of one switch are drawn as one box: there are too many to draw each.</span>}
        {cycle.size > 0 && <span data-kind="locked">the deadlock: each port waits for the next</span>}
        {fabric.queues_left_out > 0 && <span>{fabric.queues_left_out} queues with less traffic are left out.</span>}
      </p>
      <p className={classes.text} aria-live={moving ? "off" : "polite"}>
        {words}
      </p>
      <details className={classes.details}>
        <summary>Ports at this time</summary>
        <Ports states={states} />
      </details>
    </Drawing>
  );
}

function Ports({ states }: { states: Map<string, PortState> }) {
  const busy = busyPorts(states);
  if (busy.length === 0) return <p className={classes.text}>No packet waits and no port is paused.</p>;
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Port</th>
            <th scope="col">longest queue</th>
            <th scope="col">paused</th>
          </tr>
        </thead>
        <tbody>
          {busy.slice(0, SHOWN).map(([port, { queue, paused }]) => (
            <tr key={port}>
              <th scope="row">{portName(port)}</th>
              <td>{formatQuantity(queue, "B")}</td>
              <td>{Math.round(paused * 100)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
      {busy.length > SHOWN && <p className={classes.text}>and {busy.length - SHOWN} more, in the CSV</p>}
    </>
  );
}

function Picture({
  layout: { places, wires, width, height },
  states,
  most,
  cycle,
}: {
  layout: Layout;
  states: Map<string, PortState>;
  most: number;
  cycle: Set<string>;
}) {
  const place = useMemo(() => new Map(places.map((one) => [one.name, one])), [places]);
  return (
    <svg data-figure viewBox={`0 0 ${width} ${height}`} className={classes.fabric} aria-hidden="true">
      {wires.map(({ from, to, ports }) => {
        const [a, b] = [place.get(from), place.get(to)];
        if (a === undefined || b === undefined) return null;
        const queue = Math.max(...ports.map((port) => states.get(port)?.queue ?? 0));
        const paused = Math.max(...ports.map((port) => states.get(port)?.paused ?? 0));
        const line = beside(a, b);
        return (
          <g key={`${from}>${to}`}>
            <line {...line} className={classes.cable} />
            {ports.some((port) => cycle.has(port)) && <line {...line} className={classes.cycle} />}
            {queue > 0 && (
              <line {...line} className={classes.queue} strokeWidth={1.5 + (7 * queue) / Math.max(most, 1)} />
            )}
            {paused > 0 && <line {...line} className={classes.paused} strokeWidth={1.5 + 2 * paused} />}
          </g>
        );
      })}
      {places.map((one) => (
        <Node key={one.name} place={one} />
      ))}
    </svg>
  );
}

function Node({ place: { name, kind, x, y, hosts } }: { place: Place }) {
  if (kind === "host" && hosts === 1)
    return (
      <g>
        <circle cx={x} cy={y} r={6} className={classes.host} />
        <text x={x} y={y + 18} textAnchor="middle" className={classes.name}>
          {name}
        </text>
      </g>
    );
  const label = kind === "host" ? `${hosts} hosts` : name;
  const half = Math.max(26, label.length * 4);
  return (
    <g>
      <rect
        x={x - half}
        y={y - 12}
        width={2 * half}
        height={24}
        rx={4}
        className={kind === "host" ? classes.host : classes.switch}
      />
      <text x={x} y={y + 4} textAnchor="middle" className={classes.name}>
        {label}
      </text>
    </g>
  );
}

/** The line of one direction, to the right of the way it leads. */
function beside(a: Place, b: Place) {
  const length = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
  const [across, along] = [(-(b.y - a.y) / length) * 4, ((b.x - a.x) / length) * 4];
  return { x1: a.x + across, y1: a.y + along, x2: b.x + across, y2: b.y + along };
}
