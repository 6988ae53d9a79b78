import { Button } from "@mantine/core";

import classes from "./results.module.css";
import { useReportInvalid } from "@/form/invalid";
import { useTyped } from "@/form/useTyped";
import { duration, grouped } from "@/lib/number";
import { CancelButton } from "@/ui/CancelButton";

type Props = {
  /** What the button says. */
  run: string;
  points: number;
  replicas: number;
  /** Factor by which rates and flows are divided; 1 for none. */
  scale: number;
  /** Why this cannot be. */
  unscalable: string | undefined;
  active: boolean;
  starting: boolean;
  disabled: boolean;
  /** What the study is expected to take [s]. */
  cost: number | undefined;
  onPacket: (packet: { points: number; replicas: number }) => void;
  onScale: (scale: number) => void;
  onRun: () => void;
  onCancel: () => void;
};

/** How many packet points and replicas, by how much they are made smaller, and the button that runs or stops them. */
export function RunControls({
  run,
  points,
  replicas,
  scale,
  unscalable,
  active,
  starting,
  disabled,
  cost,
  onPacket,
  onScale,
  onRun,
  onCancel,
}: Props) {
  // The run would not use the value that the field shows.
  useReportInvalid("the scale of the packet run", unscalable !== undefined);
  return (
    <div className={classes.run}>
      <Count
        label="Packet points"
        value={points}
        least={2}
        most={101}
        onChange={(next) => {
          onPacket({ points: next, replicas });
        }}
      />
      <span title="Buffer sizes to simulate, each with this many replicas">points ×</span>
      <Count
        label="Replicas of each packet point"
        value={replicas}
        least={1}
        most={100}
        onChange={(next) => {
          onPacket({ points, replicas: next });
        }}
      />
      <span
        title={
          "Divides rates and flows by this number, and buffers to match, so that fast links can be " +
          "simulated. 1 changes nothing"
        }
      >
        replicas, scale 1/
      </span>
      <Count
        label="Scale of the packet run: rates and flows are divided by"
        value={scale}
        least={1}
        most={1e6}
        whole={false}
        fault={unscalable}
        onChange={onScale}
      />
      {active ? (
        <CancelButton onCancel={onCancel} />
      ) : (
        <Button
          size="compact-sm"
          className={classes.primary}
          onClick={onRun}
          loading={starting}
          disabled={disabled}
          title={cost === undefined ? "Ctrl+Enter" : `About ${duration(cost)}. Ctrl+Enter`}
        >
          {run}
        </Button>
      )}
    </div>
  );
}

type CountProps = {
  label: string;
  value: number;
  least: number;
  most: number;
  whole?: boolean;
  fault?: string | undefined;
  onChange: (value: number) => void;
};

function Count({ label, value, least, most, whole = true, fault, onChange }: CountProps) {
  const { input, error } = useTyped({
    label,
    shown: String(value),
    eager: true,
    onChange,
    read: (text) => {
      const number = Number(text);
      const fits = whole ? Number.isInteger(number) : Number.isFinite(number);
      return fits && number >= least && number <= most
        ? { value: number }
        : { error: `must be ${whole ? "a whole number" : "a number"} from ${least} to ${grouped(most)}` };
    },
  });
  const wrong = error ?? fault;
  return (
    <input
      className={classes.count}
      aria-label={label}
      title={wrong ?? `${least} to ${grouped(most)}`}
      inputMode={whole ? "numeric" : "decimal"}
      {...input}
      aria-invalid={wrong !== undefined}
    />
  );
}
