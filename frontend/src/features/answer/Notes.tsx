import { useState } from "react";

import classes from "./answer.module.css";
import { nearest, type Point } from "@/lib/points";

type Props = { points: Point[]; engines: string[]; buffer: number | undefined };

/** What each engine assumes or leaves out at the chosen size, one click away. */
export function Notes({ points, engines, buffer }: Props) {
  const [open, setOpen] = useState(false);
  const notes = engines.flatMap((engine) => {
    const point = buffer === undefined ? undefined : nearest(points, engine, buffer);
    return (point?.result.notes ?? []).map((note) => ({ engine, note }));
  });
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
        {open ? "Hide" : "Show"} what the engines assume ({notes.length})
      </button>
      {open && (
        <ul className={classes.notes}>
          {notes.map(({ engine, note }) => (
            <li key={engine + note}>
              <b>{engine}</b> {note}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
