import { Link } from "@tanstack/react-router";

import classes from "./ecn.module.css";
import { ADVICE, outcome, scenarioOf, settings, type EcnQuestion, type Thresholds } from "@/lib/ecn";
import { encodeStability, OWN } from "@/lib/stability";
import { encodeView } from "@/lib/permalink";
import { DEFAULT_VIEW } from "@/lib/view";
import { pathOf } from "@/lib/views";

type Props = {
  one: Thresholds;
  question: EcnQuestion;
  level: 1 | 2;
  /** Kmin from which on the fluid model holds [B]. */
  validFrom: number;
};

/** One set of thresholds in words, and where they can be looked at further. */
export function Words({ one, question, level, validFrom }: Props) {
  const Heading = level === 1 ? "h1" : "h2";
  const scenario = scenarioOf(question, one);
  return (
    <section className={classes.words} aria-label={one.name === ADVICE ? "Advice" : one.name}>
      {one.name !== ADVICE && <p className={classes.muted}>{one.name}</p>}
      <Heading>{settings(one)}</Heading>
      <p>{capital(outcome(one, question.speed))}.</p>
      <p className={classes.verdict} data-meets={one.meets ? one.kmin >= validFrom : false}>
        {!one.meets
          ? "✕ Does not meet the targets"
          : one.kmin < validFrom
            ? "Meets the targets by the fluid model, but outside its validity: simulate it"
            : "✓ Meets the targets"}
      </p>
      {one.reasons.length > 0 && (
        <ul className={classes.reasons}>
          {one.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {one.source !== "" && <p className={classes.muted}>{one.source}</p>}
      <p className={classes.links}>
        <Link to={pathOf("stability")} search={{ query: encodeStability({ preset: OWN, scenario, panel: "answer" }) }}>
          These thresholds in Stability
        </Link>
        <Link to={pathOf("buffer")} search={{ query: encodeView({ ...DEFAULT_VIEW, scenario }) }}>
          in Buffer
        </Link>
      </p>
    </section>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
