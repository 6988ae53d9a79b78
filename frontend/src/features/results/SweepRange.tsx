import { useState } from "react";

import classes from "./results.module.css";
import { fieldText, parseQuantity } from "@/lib/quantity";
import type { Sweep } from "@/lib/sweep";

type Props = {
  sweep: Sweep;
  /** The person set the range; it does not follow the scenario. */
  locked: boolean;
  onChange: (sweep: Sweep) => void;
  /** Set the range as it is, or let it follow the scenario again. */
  onLock: (locked: boolean) => void;
};

/** The two ends of the swept buffer, and whether they follow the scenario. */
export function SweepRange({ sweep, locked, onChange, onLock }: Props) {
  return (
    <span className={classes.inline} role="group" aria-label="Swept buffer sizes">
      Buffer
      <End
        label="Smallest swept buffer"
        value={sweep.low}
        allowed={(low) => low > 0 && low < sweep.high}
        onChange={(low) => {
          onChange({ ...sweep, low });
        }}
      />
      to
      <End
        label="Greatest swept buffer"
        value={sweep.high}
        allowed={(high) => high > sweep.low}
        onChange={(high) => {
          onChange({ ...sweep, high });
        }}
      />
      <button
        type="button"
        className={classes.lock}
        aria-pressed={locked}
        aria-label="Lock the range"
        title={
          locked
            ? "The range is locked. Click to let it follow the scenario."
            : "The range follows the scenario. Click to lock it."
        }
        onClick={() => {
          onLock(!locked);
        }}
      >
        {locked ? "Locked" : "Auto"}
      </button>
    </span>
  );
}

type EndProps = {
  label: string;
  value: number;
  allowed: (value: number) => boolean;
  onChange: (value: number) => void;
};

function End({ label, value, allowed, onChange }: EndProps) {
  const [draft, setDraft] = useState<string>();
  const parsed = draft === undefined ? undefined : parseQuantity(draft, "B");
  const good = parsed !== undefined && "value" in parsed && allowed(parsed.value);
  const leave = () => {
    if (good && parsed.value !== value) onChange(parsed.value);
    setDraft(undefined);
  };
  return (
    <input
      className={classes.small}
      aria-label={label}
      aria-invalid={draft !== undefined && !good}
      value={draft ?? fieldText(value, "B")}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
      }}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") leave();
      }}
    />
  );
}
