import type { ReactNode } from "react";

import classes from "./pool.module.css";
import { Incast } from "./Incast";
import { Marking } from "./Marking";
import { Pauses } from "./Pauses";
import type { PoolAnswer } from "@/api/pool";
import type { JsonObject } from "@/lib/path";

type Props = {
  answer: PoolAnswer;
  /** Adds a further question about the pool, or removes it. */
  onAsk: (name: string, value: JsonObject | undefined) => void;
  /** Shown below the comparison of marking and pauses. */
  marked?: ReactNode;
};

type Part = {
  name: "incast" | "pauses" | "marking";
  title: string;
  offer: string;
  example: JsonObject;
  show: (answer: PoolAnswer) => ReactNode;
};

/**
 * Further questions to one and the same pool; each is asked by its section of the form, or from here with an example.
 */
const parts: Part[] = [
  {
    name: "marking",
    title: "Does ECN mark before PFC pauses?",
    offer: "Compare marking thresholds of 150 kB and 1.5 MB",
    example: { kmin: "150 kB", kmax: "1.5 MB" },
    show: ({ marking }) => marking !== null && <Marking marking={marking} />,
  },
  {
    name: "pauses",
    title: "Is a shared headroom pool large enough?",
    offer: "Assume each group is paused 1 % of the time, with a correlation of 0.1",
    example: { probability: 0.01, correlation: 0.1 },
    show: ({ pauses }) => pauses !== null && <Pauses pauses={pauses} />,
  },
  {
    name: "incast",
    title: "Is an incast absorbed?",
    offer: "Try 40 senders of 64 KiB",
    example: { degree: 40, size: "64 KiB" },
    show: ({ incast }) => incast !== null && <Incast incast={incast} />,
  },
];

export function Details({ answer, onAsk, marked }: Props) {
  return (
    <div className={classes.details}>
      {parts.map(({ name, title, offer, example, show }) => {
        const shown = show(answer);
        return (
          <section key={name} className={classes.detail} aria-label={title}>
            <h3>
              {title}
              {shown !== false && (
                <button
                  type="button"
                  className={classes.link}
                  onClick={() => {
                    onAsk(name, undefined);
                  }}
                >
                  Close
                </button>
              )}
            </h3>
            {shown === false ? (
              <button
                type="button"
                className={classes.link}
                onClick={() => {
                  onAsk(name, example);
                }}
              >
                {offer}
              </button>
            ) : (
              <>
                {shown}
                {name === "marking" && marked}
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}
