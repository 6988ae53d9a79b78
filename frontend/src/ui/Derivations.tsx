import { Derivation } from "./Derivation";
import classes from "./derivation.module.css";
import type { Explanation } from "@/lib/points";

/** Several numbers that can be checked by hand, side by side where there is room. */
export function Derivations({ explanations }: { explanations: Explanation[] }) {
  if (explanations.length === 0) return <p className={classes.none}>There is nothing to derive yet.</p>;
  return (
    <div className={classes.several}>
      {explanations.map((one) => (
        <div key={one.name}>
          <h2>{one.title}</h2>
          <Derivation explanation={one} />
        </div>
      ))}
    </div>
  );
}
