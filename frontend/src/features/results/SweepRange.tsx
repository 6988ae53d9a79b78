import { useState } from "react";

import classes from "./results.module.css";
import { fieldText, parseQuantity } from "@/lib/quantity";
import type { Sweep } from "@/lib/sweep";

type Props = { sweep: Sweep; onChange: (sweep: Sweep) => void };

/** The two ends of the swept buffer. */
export function SweepRange({ sweep, onChange }: Props) {
  return (
    <span className={classes.inline} role="group" aria-label="Swept buffer sizes">
      Buffer
      <End label="Smallest swept buffer" value={sweep.low} allowed={(low) => low > 0 && low < sweep.high} onChange={(low) => { onChange({ ...sweep, low }); }} />
      to
      <End label="Greatest swept buffer" value={sweep.high} allowed={(high) => high > sweep.low} onChange={(high) => { onChange({ ...sweep, high }); }} />
    </span>
  );
}

type EndProps = { label: string; value: number; allowed: (value: number) => boolean; onChange: (value: number) => void };

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
