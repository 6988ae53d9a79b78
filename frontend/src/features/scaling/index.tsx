import classes from "./scaling.module.css";
import { formatQuantity } from "@/lib/quantity";
import { significant } from "@/lib/number";
import { passage, type ScaledQuantity, type Scaling } from "@/lib/scaling";
import { pathLabel, plainSentence, plainText } from "@/lib/problems";

type Props = {
  scaling: Scaling;
  /** How it is to be read beside what was not scaled. */
  beside?: string;
};

/** A result of a scenario that was made smaller says so: by how much, what stayed as it was and what did not. */
export function ScalingNote({ scaling, beside }: Props) {
  return (
    <section className={classes.note} aria-label="Scaling">
      <h2>
        Scaled by {Number(scaling.factor.toPrecision(4))}: <span>not the original scenario</span>
      </h2>
      {scaling.notes.map((note) => (
        <p key={note}>{plainSentence(note)}</p>
      ))}
      {beside !== undefined && <p>{beside}</p>}
      <details>
        <summary>What is kept and what is not</summary>
        <Quantities title="Kept" quantities={scaling.kept} />
        <Quantities title="Not kept" quantities={scaling.changed} />
        <h3>Fields divided</h3>
        <ul>
          {scaling.changes.map(({ path, before, after, divisor, rule }) => (
            <li key={path}>
              <b>{pathLabel(path)}</b> {significant(before, 4)} → {significant(after, 4)}, ÷ {significant(divisor)}:{" "}
              {plainText(rule)}
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
            <dd>{plainText(one.meaning)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
