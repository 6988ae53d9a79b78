import { Button, Progress } from "@mantine/core";

import controls from "./controls.module.css";
import classes from "./run.module.css";
import type { PaperRun } from "@/views/papers/api";
import { wordsOf } from "@/api/problem";
import { duration } from "@/lib/number";
import { CancelButton } from "@/ui/CancelButton";
import type { Tier } from "@/views/papers/lib/papers";

type Props = {
  /** Sizes that the paper's experiments can be run at. */
  tiers: readonly Tier[];
  tier: Tier;
  /** What this size is, in the words of each experiment. */
  about: readonly string[];
  run: PaperRun | undefined;
  active: boolean;
  starting: boolean;
  failure: Error | undefined;
  onTier: (tier: Tier) => void;
  onRun: () => void;
  onCancel: () => void;
};

const hints: Record<Tier, string> = {
  smoke: "smoke, the quickest",
  laptop: "laptop, minutes",
  full: "full, as published",
};

/** At which size the paper is run, and how far that is. */
export function RunBar({ tiers, tier, about, run, active, starting, failure, onTier, onRun, onCancel }: Props) {
  const done = run?.status === "done";
  return (
    <>
      <div className={classes.run}>
        <label>
          Size
          <select
            className={controls.select}
            value={tier}
            onChange={({ currentTarget }) => {
              const next = tiers.find((one) => one === currentTarget.value);
              if (next !== undefined) onTier(next);
            }}
          >
            {[...new Set([...tiers, tier])].map((one) => (
              <option key={one} value={one}>
                {hints[one]}
              </option>
            ))}
          </select>
        </label>
        {active ? (
          <CancelButton onCancel={onCancel} />
        ) : (
          // What is done is kept as long as the version is the same: there is nothing to run again.
          !done && (
            <Button
              size="compact-sm"
              className={classes.primary}
              onClick={onRun}
              loading={starting}
              disabled={run === undefined || !tiers.includes(tier)}
              title="Ctrl+Enter"
            >
              Run
            </Button>
          )
        )}
        <div className={classes.state} role="status">
          {active && (
            <>
              <span>{run?.status === "queued" ? "Waiting for an earlier run" : "Simulating"}</span>
              <Progress
                className={classes.progress}
                size={5}
                value={(run?.progress ?? 0) * 100}
                animated={run?.status === "queued"}
                aria-label="Progress of the paper's run"
              />
              <span>
                {run?.seconds_left === null || run?.seconds_left === undefined
                  ? ""
                  : `${duration(run.seconds_left)} left`}
              </span>
            </>
          )}
          {run?.status === "cancelled" && "Cancelled. Finished runs are kept and are not repeated."}
          {done && run.result !== null && `${run.result.runs.length} runs, ${duration(run.result.wall_s)} of computing`}
          {run?.status === "none" && "Not run at this size yet."}
        </div>
      </div>
      {failure !== undefined && (
        <p className={classes.failure} role="alert">
          The run did not start: {wordsOf(failure)}
        </p>
      )}
      {about.length > 0 && <p className={classes.about}>{about.join(" ")}</p>}
    </>
  );
}
