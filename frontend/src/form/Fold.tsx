import { useState, type ReactNode } from "react";

import classes from "@/form/form.module.css";

type Props = {
  title: string;
  note?: string;
  level: 1 | 2;
  /** Open whatever the person chose: something inside needs attention. */
  open?: boolean;
  initially?: boolean;
  action?: ReactNode;
  children: ReactNode;
};

/** A part of the form that folds. */
export function Fold({ title, note = "", level, open = false, initially = false, action, children }: Props) {
  const [chosen, setChosen] = useState(initially);
  const unfolded = chosen || open;
  // Only the parts of the document are landmarks; what folds inside them has the button's name.
  const Part = level === 1 ? "section" : "div";
  return (
    <Part className={level === 1 ? classes.section : classes.subsection} aria-label={level === 1 ? title : undefined}>
      <div className={classes.foldHead}>
        <button
          type="button"
          className={classes.foldButton}
          aria-expanded={unfolded}
          onClick={() => {
            setChosen(!unfolded);
          }}
        >
          <span className={classes.chevron} data-open={unfolded} aria-hidden="true" />
          <span>{title}</span>
          {note !== "" && <span className={classes.foldNote}>{note}</span>}
        </button>
        {action}
      </div>
      {unfolded && <div className={classes.foldBody}>{children}</div>}
    </Part>
  );
}
