import { useMemo } from "react";

import classes from "./sharing.module.css";
import type { Axis } from "@/lib/component";
import { policyPanels, portsOf, type Emulation } from "@/lib/emulation";
import { TimePlot } from "@/plot/TimePlot";

type Props = {
  answer: Emulation;
  axis: Axis | undefined;
  port: number | undefined;
  near: boolean;
  onPort: (port: number) => void;
  onNear: (near: boolean) => void;
};

/** Queue, threshold and free memory under every policy, to one scale and over one axis of time. */
export function PolicyPlots({ answer, axis, port, near, onPort, onNear }: Props) {
  const panels = useMemo(() => policyPanels(answer, port, near, axis), [answer, port, near, axis]);
  const ports = useMemo(() => portsOf(answer.policies), [answer]);
  if (panels.length === 0) return null;
  const shown = port !== undefined && ports.includes(port) ? port : ports[0];
  return (
    <section aria-label="Over time">
      <div className={classes.bar}>
        <h2>Over time</h2>
        {ports.length > 1 && (
          <label>
            Port
            <select
              value={shown}
              onChange={({ currentTarget }) => {
                onPort(Number(currentTarget.value));
              }}
            >
              {ports.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <input
            type="checkbox"
            checked={near}
            onChange={({ currentTarget }) => {
              onNear(currentTarget.checked);
            }}
          />
          Scale to the queue
        </label>
      </div>
      <TimePlot label="Queue, threshold and free memory over time, by policy" panels={panels} />
    </section>
  );
}
