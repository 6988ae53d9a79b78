import type { ReactNode } from "react";

import classes from "./runButton.module.css";

/** Starts a run of packets. */
export function RunButton({
  onRun,
  disabled,
  children,
}: {
  onRun: () => void;
  disabled: boolean;
  children: ReactNode;
}) {
  return (
    <button type="button" className={classes.run} onClick={onRun} disabled={disabled}>
      {children}
    </button>
  );
}
