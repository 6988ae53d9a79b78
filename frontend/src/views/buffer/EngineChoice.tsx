import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import classes from "./engineChoice.module.css";
import { wordsOf } from "@/api/problem";
import { useTyped } from "@/form/useTyped";
import { roughly } from "@/lib/number";
import { plainText } from "@/lib/problems";
import { choiceQuery } from "@/views/buffer/api";
import type { Workbench } from "@/views/buffer/state/useWorkbench";

/** Seconds of one core that a run of packets may take by default. */
const BUDGET = 60;
/** A month. */
const MOST = 2.6e6;

/** The engine that "auto" picks for what is shown, and why: asked for on demand, since the fluid is run for it. */
export function EngineChoice({ bench }: { bench: Workbench }) {
  const [open, setOpen] = useState(false);
  const [budget, setBudget] = useState(BUDGET);
  const { scenario, objectives, view, change } = bench;
  const { data, error } = useQuery(
    choiceQuery(
      open && scenario !== undefined
        ? { scenario, budget, metrics: objectives.map(({ metric }) => metric) }
        : undefined,
    ),
  );
  const field = useTyped({
    label: "the budget of a run",
    shown: String(budget),
    onChange: setBudget,
    read: (text) => {
      const seconds = Number(text);
      return seconds > 0 && seconds <= MOST ? { value: seconds } : { error: "must be a number of seconds above 0" };
    },
  });
  const hidden = data !== undefined && !view.engines.includes(data.engine);
  return (
    <section aria-label="Engine to ask" className={classes.choice}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        Which engine should I ask?
      </button>
      {open && (
        <>
          <p>
            <label>
              A run may take{" "}
              <input aria-label="Budget of a run [s of one core]" inputMode="decimal" size={6} {...field.input} /> s of
              one core.
            </label>
          </p>
          {field.error !== undefined && <p role="alert">{field.error}</p>}
          {error !== null && <p role="alert">{wordsOf(error)}</p>}
          {data !== undefined && (
            <p role="status">
              <b>{data.engine}</b>, {roughly(data.seconds)} a run. {plainText(data.reason)}{" "}
              {hidden && (
                <button
                  type="button"
                  onClick={() => {
                    change({ engines: [...view.engines, data.engine] });
                  }}
                >
                  Show {data.engine}
                </button>
              )}
            </p>
          )}
        </>
      )}
    </section>
  );
}
