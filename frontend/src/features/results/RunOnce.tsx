import { Button } from "@mantine/core";

import classes from "./runOnce.module.css";
import { wordsOf } from "@/api/problem";
import { CancelButton } from "@/ui/CancelButton";

type Run = {
  active: boolean;
  starting: boolean;
  scenario: unknown;
  refused: Error | undefined;
  start: () => void;
  cancel: () => void;
};

/** What a packet run records, in words, and the button that starts or cancels it. */
export function RunOnce({ run, invalid, children }: { run: Run; invalid: boolean; children: string }) {
  return (
    <div className={classes.bar}>
      {run.refused === undefined ? <p>{children}</p> : <p role="alert">{wordsOf(run.refused)}</p>}
      {run.active ? (
        <CancelButton onCancel={run.cancel} />
      ) : (
        <Button
          size="compact-sm"
          className={classes.primary}
          onClick={run.start}
          loading={run.starting}
          disabled={run.scenario === undefined || invalid}
          title="Ctrl+Enter"
        >
          Run packets
        </Button>
      )}
    </div>
  );
}
