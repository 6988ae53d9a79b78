import { useState } from "react";

import classes from "./answer.module.css";
import { titleOf } from "@/lib/metrics";
import type { Result } from "@/lib/points";
import { plainSentence } from "@/lib/problems";

type Props = { results: Result[] };

/** What each engine assumes or leaves out at the chosen size, one click away. */
export function Notes({ results }: Props) {
  const [open, setOpen] = useState(false);
  const notes = results.flatMap(({ engine, notes: own, outside_validity: outside = {} }) =>
    [
      ...Object.entries(outside).map(
        ([metric, reason]) => `${titleOf(metric)} is outside validity: ${plainSentence(reason)}`,
      ),
      ...own,
    ].map((note) => ({ engine, note })),
  );
  if (notes.length === 0) return null;
  return (
    <section aria-label="Assumptions">
      <button
        type="button"
        className={classes.link}
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        {open ? "Hide" : "Show"} assumptions ({notes.length})
      </button>
      {open && (
        <ul className={classes.notes}>
          {notes.map(({ engine, note }) => (
            <li key={engine + note}>
              <b>{engine}</b> {plainSentence(note)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
