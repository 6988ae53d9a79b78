import { Fragment, useState } from "react";

import { Drawing } from "./Drawing";
import classes from "./fabric.module.css";
import {
  className,
  cycleOf,
  depths,
  pausesCsv,
  portName,
  victimsCsv,
  type Deadlock,
  type Propagation,
} from "@/lib/fabric";
import { download } from "@/lib/browser";
import { formatQuantity } from "@/lib/quantity";

const [WIDTH, ROW, INDENT] = [720, 26, 26];
/** Nodes drawn of one root, and victims shown. */
const MOST = 40;
const SHOWN = 12;

const NONE = { lost: 0 } as Propagation["roots"][number];

type Props = { pauses: Propagation; deadlock: Deadlock | null | undefined };

/** Which port's congestion paused which port, for how long, and which flows waited without crossing it. */
export function Spread({ pauses, deadlock }: Props) {
  const [chosen, setChosen] = useState<string>();
  // First the one that cost others most; where none did, the one that led to most pauses.
  const first = pauses.roots.reduce((most, one) => (one.lost > most.lost ? one : most), pauses.roots[0] ?? NONE);
  const root = pauses.roots.find(({ port }) => port === chosen) ?? (first === NONE ? undefined : first);
  const cycle = cycleOf(deadlock);
  return (
    <Drawing name="pauses" title="How pauses spread" csv={() => pausesCsv(pauses)}>
      {root === undefined ? (
        <p className={classes.text}>No port was paused.</p>
      ) : (
        <>
          <label className={classes.choice}>
            Congested port{" "}
            <select
              value={root.port}
              onChange={({ currentTarget }) => {
                setChosen(currentTarget.value);
              }}
            >
              {pauses.roots.map(({ port, pauses: count, time }) => (
                <option key={port} value={port}>
                  {portName(port)}: {count} {count === 1 ? "pause" : "pauses"}, {formatQuantity(time, "s")}
                </option>
              ))}
            </select>
          </label>
          <p className={classes.text}>
            Congestion at {portName(root.port)} led to {root.pauses} {root.pauses === 1 ? "pause" : "pauses"} of{" "}
            {root.ports} {root.ports === 1 ? "port" : "ports"}, up to {root.depth} {root.depth === 1 ? "link" : "links"}{" "}
            away, for {formatQuantity(root.time, "s")} in all.{" "}
            {root.victims === 0
              ? "Flows that do not cross this port did not wait for it."
              : `${root.victims} ${root.victims === 1 ? "flow that does" : "flows that do"} not cross it waited ` +
                `behind these pauses, for ${formatQuantity(root.lost, "s")} in all.`}
          </p>
          <Tree pauses={pauses} root={root.port} cycle={cycle} />
          <Victims pauses={pauses} root={root.port} count={root.victims} />
        </>
      )}
      <p className={classes.small}>
        A pause is drawn below another one if the egress port of most of the queued bytes was itself paused at that
        moment, or had been for at least half of the time that those bytes take to send. Lost time is how long a packet
        of the flow waited behind a pause: the most that the pauses can have cost it.
      </p>
    </Drawing>
  );
}

function Tree({ pauses: { tree }, root, cycle }: { pauses: Propagation; root: string; cycle: Set<string> }) {
  const level = depths(tree);
  const mine = tree.filter((node) => node.root === root);
  const nodes = mine.slice(0, MOST);
  const longest = Math.max(...nodes.map(({ time }) => time), 1e-12);
  const place = new Map(nodes.map(({ id }, i) => [id, i + 1]));
  const bar = WIDTH - 330 - 110;
  return (
    <div className={classes.wide} tabIndex={0} role="group" aria-label="Tree of pauses">
      <svg
        data-figure
        viewBox={`0 0 ${WIDTH} ${(nodes.length + 1) * ROW + 4}`}
        className={classes.bars}
        aria-hidden="true"
      >
        <circle cx={10} cy={ROW / 2} r={5} className={classes.root} />
        <text x={22} y={ROW / 2 + 4} fontWeight={600}>
          {portName(root)} is congested
        </text>
        {nodes.map((node, i) => {
          const x = 10 + (level.get(node.id) ?? 1) * INDENT;
          const y = (i + 1) * ROW + ROW / 2;
          const from = node.parent === null ? 0 : (place.get(node.parent) ?? 0);
          return (
            <g key={node.id} data-locked={cycle.has(`${node.port} ${node.class}`)}>
              <path d={`M${x - INDENT} ${from * ROW + ROW / 2 + 5} V${y} H${x - 5}`} className={classes.branch} />
              <circle cx={x} cy={y} r={4} className={classes.node} />
              <text x={x + 9} y={y + 4}>
                {portName(node.port)}, {className(node.class)}
              </text>
              <rect
                x={330}
                y={y - 7}
                width={Math.max(1, (bar * node.time) / longest)}
                height={14}
                className={classes.held}
              />
              <text x={330 + bar + 8} y={y + 4}>
                {formatQuantity(node.time, "s")} ({node.pauses})
              </text>
            </g>
          );
        })}
      </svg>
      <ul className="visually-hidden">
        {nodes.map((node) => (
          <li key={node.id}>
            {`${level.get(node.id) ?? 1} away: ${portName(node.port)}, ${className(node.class)}, ` +
              `${node.pauses} ${node.pauses === 1 ? "pause" : "pauses"}, ` +
              `paused for ${formatQuantity(node.time, "s")}, the longest ${formatQuantity(node.longest, "s")}` +
              (node.first === null ? "" : `, first paused at ${formatQuantity(node.first, "s", 4)}`) +
              (cycle.has(`${node.port} ${node.class}`) ? ", part of the deadlock" : "")}
          </li>
        ))}
      </ul>
      {mine.length > MOST && <p className={classes.text}>and {mine.length - MOST} more, which held for less time</p>}
    </div>
  );
}

function Victims({ pauses, root, count }: { pauses: Propagation; root: string; count: number }) {
  const rows = pauses.victims.filter((victim) => victim.root === root).slice(0, SHOWN);
  if (rows.length === 0) return null;
  return (
    <Fragment>
      <div className={classes.head}>
        <h3>Victim flows: they lost time but do not cross this port</h3>
        <button
          type="button"
          aria-label="Victims: download CSV"
          onClick={() => {
            download("footroom-victims.csv", victimsCsv(pauses), "text/csv");
          }}
        >
          CSV
        </button>
      </div>
      <div className={classes.wide} tabIndex={0} role="group" aria-label="Victims">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Flow</th>
              <th scope="col">size</th>
              <th scope="col">longest at</th>
              <th scope="col">lost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((victim) => (
              <tr key={victim.flow}>
                <th scope="row">
                  {victim.source} → {victim.destination} <small>flow {victim.flow}</small>
                </th>
                <td>{victim.size === null ? "no end" : formatQuantity(victim.size, "B")}</td>
                <td>{portName(victim.port)}</td>
                <td>{formatQuantity(victim.lost, "s")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > rows.length && <p className={classes.text}>and {count - rows.length} more, which lost less</p>}
    </Fragment>
  );
}
