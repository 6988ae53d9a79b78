import { useEffect, useRef } from "react";

import classes from "./headroom.module.css";
import { titleOf } from "@/features/headroom";
import { EcnRun } from "@/features/lossless";
import { Details, Fit, Sharing } from "@/features/pool";
import { poolPath } from "@/lib/headroom";
import { getPath } from "@/lib/path";
import type { HeadroomBench } from "@/views/headroom/state/useHeadroom";

/** Whether the headroom fits the chip for all of its ports, and who shares the rest. */
export function Pool({
  bench: { state, answer, division, pooled, scheme, staleDivision, choose, change },
}: {
  bench: HeadroomBench;
}) {
  const titles = Object.fromEntries(Object.entries(answer?.schemes ?? {}).map(([name, one]) => [name, titleOf(one)]));
  const section = useRef<HTMLElement>(null);
  // A link may be about the pool, which lies below the schemes.
  const wanted = getPath(state, "page.section") === "pool" && division !== undefined;
  useEffect(() => {
    if (wanted) section.current?.scrollIntoView({ block: "start" });
  }, [wanted]);
  return (
    <section
      ref={section}
      className={classes.part}
      data-stale={staleDivision && division !== undefined}
      aria-label="Pool"
    >
      <h2>Does it fit the chip?</h2>
      {pooled === undefined && (
        <p className={classes.hint}>
          Choose a chip, or enter Buffer under Parameters of the schemes, to see whether all ports fit.
        </p>
      )}
      {division !== undefined && (
        <>
          <Fit
            answer={division}
            titles={titles}
            scheme={scheme}
            onScheme={choose}
            onFit={(path, value) => {
              change(poolPath(path, state), value, "push");
            }}
          />
          <Sharing answer={division} />
          {division.notes.length > 0 && (
            <ul className={classes.notes}>
              {division.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          {division.feasible && (
            <Details
              answer={division}
              marked={
                division.marking !== null && (
                  <EcnRun scenario={division.marking.scenario} differs={division.marking.differs} />
                )
              }
              onAsk={(name, value) => {
                change(`pool.${name}`, value, "push");
              }}
            />
          )}
        </>
      )}
    </section>
  );
}
