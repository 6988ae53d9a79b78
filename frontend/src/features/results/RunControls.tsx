import { Button } from "@mantine/core";
import { useState } from "react";

import classes from "./results.module.css";

type Props = {
  points: number;
  replicas: number;
  active: boolean;
  starting: boolean;
  disabled: boolean;
  onPacket: (packet: { points: number; replicas: number }) => void;
  onRun: () => void;
  onCancel: () => void;
};

/** How many packet points and replicas, and the button that runs or stops them. */
export function RunControls({ points, replicas, active, starting, disabled, onPacket, onRun, onCancel }: Props) {
  return (
    <div className={classes.run}>
      <Count label="Packet points" value={points} least={2} most={101} onChange={(next) => { onPacket({ points: next, replicas }); }} />
      <span title="Buffer sizes times replicas">pts ×</span>
      <Count label="Replicas of each packet point" value={replicas} least={1} most={100} onChange={(next) => { onPacket({ points, replicas: next }); }} />
      {active ? (
        <Button size="compact-sm" variant="default" onClick={onCancel} title="Esc">
          Cancel
        </Button>
      ) : (
        <Button size="compact-sm" className={classes.primary} onClick={onRun} loading={starting} disabled={disabled} title="Ctrl+Enter">
          Run packets
        </Button>
      )}
    </div>
  );
}

type CountProps = { label: string; value: number; least: number; most: number; onChange: (value: number) => void };

function Count({ label, value, least, most, onChange }: CountProps) {
  const [draft, setDraft] = useState<string>();
  const number = Number(draft);
  const good = draft === undefined || (Number.isInteger(number) && number >= least && number <= most);
  return (
    <input
      className={classes.count}
      aria-label={label}
      aria-invalid={!good}
      title={`${least} to ${most}`}
      inputMode="numeric"
      value={draft ?? String(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text);
        const next = Number(text);
        if (Number.isInteger(next) && next >= least && next <= most) onChange(next);
      }}
      onBlur={() => {
        setDraft(undefined);
      }}
    />
  );
}
