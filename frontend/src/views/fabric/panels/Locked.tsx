import classes from "./fabric.module.css";
import { className, portName, type Deadlock } from "@/lib/fabric";
import { formatQuantity } from "@/lib/quantity";

/** The ports that wait for one another for ever. A run that locks ends there, so this comes first. */
export function Locked({ deadlock }: { deadlock: Deadlock | null | undefined }) {
  if (deadlock === null || deadlock === undefined) return null;
  const ports = deadlock.cycle.map((stop) => `${portName(stop.port)} (${className(stop.class)})`).join(", ");
  return (
    <p className={classes.locked} role="status">
      Deadlock at {formatQuantity(deadlock.time, "s", 4)}: these ports wait for one another in a cycle, and none can
      send: {ports}. They are marked below.
    </p>
  );
}
