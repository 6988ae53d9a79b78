import classes from "./scaling.module.css";
import { formatQuantity } from "@/lib/quantity";
import { significant } from "@/lib/number";
import { passage, type ScaledQuantity, type Scaling } from "@/lib/scaling";

/** A result of a scenario that was made smaller says so: by how much, what stayed as it was and what did not. */
export function ScalingNote({ scaling }: { scaling: Scaling }) {
  return (
    <section className={classes.note} aria-label="Scaling">
      <h2>
        Scaled by {significant(scaling.factor)}: <span>not the scenario as it was written</span>
      </h2>
      {scaling.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <details>
        <summary>What is kept and what is not</summary>
        <Quantities title="Kept" quantities={scaling.kept} />
        <Quantities title="Not kept" quantities={scaling.changed} />
        <h3>Fields divided</h3>
        <ul>
          {scaling.changes.map(({ path, before, after, divisor, rule }) => (
            <li key={path}>
              <code>{path}</code> {significant(before, 4)} → {significant(after, 4)}, ÷ {significant(divisor)}: {rule}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Quantities({ title, quantities }: { title: string; quantities: ScaledQuantity[] }) {
  if (quantities.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {quantities.map((one) => (
          <div key={`${one.name}${one.path}`}>
            <dt>{one.name}</dt>
            <dd>{title === "Kept" ? formatQuantity(one.after, one.unit) : passage(one)}</dd>
            <dd>{one.meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
