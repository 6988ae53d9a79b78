import classes from "./pool.module.css";
import type { PoolAnswer, PoolLine } from "@/api/pool";
import { exactBytes, grouped, percent } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

/** What the lines are drawn as: guarantees in turn, what is shared pale. */
const shades = ["frames", "reaction", "cells", "extra", "cable", "rounding"];
const isShared = ({ name }: PoolLine) => name === "footroom" || name === "remainder";

/** The chip's memory as one bar, and the same in bytes and cells. */
export function MemoryBar({ answer: { lines, memory, committed, feasible } }: { answer: PoolAnswer }) {
  const end = Math.max(memory.buffer, committed.bytes);
  const drawn = lines.map((line, i) => ({
    line,
    shade: isShared(line) ? "shared" : (shades[i % shades.length] ?? "rounding"),
    from: lines.slice(0, i).reduce((sum, { bytes }) => sum + bytes, 0) / end,
  }));
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        {drawn.map(({ line, shade, from }) => (
          <div
            key={line.name + line.title}
            className={classes.piece}
            data-part={shade}
            title={`${line.title}: ${exactBytes(line.bytes)}`}
            style={{ left: `${from * 100}%`, width: `${(line.bytes / end) * 100}%` }}
          />
        ))}
        {end > memory.buffer && (
          <div className={classes.limit} style={{ left: `${(memory.buffer / end) * 100}%` }}>
            <span>{formatQuantity(memory.buffer, "B")}</span>
          </div>
        )}
      </div>
      <table className={classes.table}>
        <caption className="visually-hidden">Memory by use</caption>
        <thead>
          <tr>
            <th scope="col">Use</th>
            <th scope="col" className={classes.spare}>
              each
            </th>
            <th scope="col">bytes</th>
            <th scope="col">cells</th>
            <th scope="col">of memory</th>
          </tr>
        </thead>
        <tbody>
          {drawn.map(({ line: { name, title, count, each, bytes, cells, share, source }, shade }) => (
            <tr key={name + title} title={source}>
              <th scope="row">
                <span className={classes.swatch} data-part={shade} />
                {title}
              </th>
              <td className={classes.spare}>{count > 1 ? `${grouped(count)} × ${exactBytes(each)}` : ""}</td>
              <td>{exactBytes(bytes)}</td>
              <td>{cells === null ? "" : grouped(cells)}</td>
              <td>{percent(share)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{feasible ? "Memory" : "Memory of the chip"}</th>
            <td className={classes.spare} />
            <td>{exactBytes(memory.buffer)}</td>
            <td>{memory.cells === null ? "" : grouped(memory.cells)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </>
  );
}
