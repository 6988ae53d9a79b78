import { useQuery } from "@tanstack/react-query";

import classes from "./memory.module.css";
import { memoryQuery } from "@/api/memory";
import { pauses, pieces, raceWords, switchNames, ticks, type SwitchMemory } from "@/lib/memory";
import { plainText } from "@/lib/problems";
import { exactBytes } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { useKept } from "@/state/useKept";
import numbers from "@/ui/numbers.module.css";

const partOf = (name: string) =>
  name.startsWith("shared") ? "shared" : name.startsWith("reserved") ? "reserved" : "headroom";
const share = (bytes: number, buffer: number) => `${((100 * bytes) / buffer).toFixed(1)} %`;

/** How switches with lossless classes divide their memory, while it is typed; nothing where no class is lossless. */
export function MemoryStack({ scenario }: { scenario: JsonObject }) {
  const wanted = pauses(scenario);
  const { data, error, isPlaceholderData } = useQuery(memoryQuery(wanted ? scenario : undefined));
  const memories = useKept(data);
  if (!wanted || memories === undefined) return null;
  const stale = error !== null || isPlaceholderData;
  return (
    <details className={classes.stacks} open data-stale={stale}>
      <summary>Memory of a switch{error !== null && <span> (of the last valid settings)</span>}</summary>
      {memories.map((memory) => (
        <Stack key={memory.switches.join(" ")} memory={memory} named={memories.length > 1} />
      ))}
    </details>
  );
}

function Stack({ memory, named }: { memory: SwitchMemory; named: boolean }) {
  const { buffer, lines, levels, ports, lossless } = memory;
  const drawn = pieces(memory);
  return (
    <section className={classes.stack} aria-label={`Memory of ${switchNames(memory)}`}>
      {named && (
        <p className={classes.named}>
          {switchNames(memory)}: {ports} ports
        </p>
      )}
      <div className={classes.bar} aria-hidden="true">
        {drawn.map(({ name, title, from, to }) => (
          <div
            key={name}
            className={classes.piece}
            data-part={partOf(name)}
            title={title}
            style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
          />
        ))}
        {ticks(memory).map(({ name, title, at, kind }) => (
          <div
            key={name}
            className={classes.tick}
            data-kind={kind}
            data-name={name}
            title={title}
            style={{ left: `${at * 100}%` }}
          />
        ))}
      </div>
      {raceWords(memory).map(({ text, first }) => (
        <p key={text} className={classes.race} data-first={first}>
          {text}
        </p>
      ))}
      <table className={`${numbers.table} ${classes.table}`}>
        <caption className="visually-hidden">Parts of the memory, and levels at which lossless classes pause</caption>
        <thead>
          <tr>
            <th scope="col">
              {lossless.length === 0
                ? "No class is lossless"
                : `Lossless ${lossless.length === 1 ? "class" : "classes"} ${lossless.join(", ")}`}
            </th>
            <th scope="col">bytes</th>
            <th scope="col">of memory</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, title, bytes, count, least, most }) => (
            <tr key={name}>
              <th scope="row">
                <span className={classes.swatch} data-part={partOf(name)} />
                {title}
                {count > 1 && (
                  <small>
                    {" "}
                    {count} × {least === most ? exactBytes(least) : `${exactBytes(least)} to ${exactBytes(most)}`}
                  </small>
                )}
              </th>
              <td>{exactBytes(bytes)}</td>
              <td>{share(bytes, buffer)}</td>
            </tr>
          ))}
          {levels.map(({ name, title, bytes, of, formula }) => (
            <tr key={name} title={plainText(formula)}>
              <th scope="row">
                <span className={classes.level} data-kind={of === "queue" ? "mark" : "pause"} />
                {title}
              </th>
              <td>{exactBytes(bytes)}</td>
              <td>{share(bytes, buffer)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
