import classes from "./results.module.css";
import { useTyped } from "@/form/useTyped";
import { fieldText, parseQuantity } from "@/lib/quantity";
import { BUFFERS, type Sweep } from "@/lib/sweep";
import { unitOf } from "@/lib/values";

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
        refuse={(low) =>
          low < BUFFERS.least
            ? `must be at least ${fieldText(BUFFERS.least, "B")}`
            : low >= sweep.high
              ? `must be below ${fieldText(sweep.high, "B")}`
              : undefined
        }
        onChange={(low) => {
          onChange({ ...sweep, low });
        }}
      />
      to
      <End
        label="Largest swept buffer"
        value={sweep.high}
        refuse={(high) =>
          high > BUFFERS.most
            ? `must be at most ${fieldText(BUFFERS.most, "B")}`
            : high <= sweep.low
              ? `must be above ${fieldText(sweep.low, "B")}`
              : undefined
        }
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
  /** What is wrong with a number of bytes, if anything. */
  refuse: (value: number) => string | undefined;
  onChange: (value: number) => void;
};

function End({ label, value, refuse, onChange }: EndProps) {
  const shown = fieldText(value, "B");
  const { input, error } = useTyped({
    label,
    shown,
    onChange,
    read: (text) => {
      // A bare number keeps the unit that was shown.
      const parsed = parseQuantity(unitOf(text) === "" ? `${text} ${unitOf(shown)}` : text, "B");
      if ("error" in parsed) return parsed;
      const why = refuse(parsed.value);
      return why === undefined ? parsed : { error: why };
    },
  });
  return <input className={classes.small} aria-label={label} title={error} {...input} />;
}
