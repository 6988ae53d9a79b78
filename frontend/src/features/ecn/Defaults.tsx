import classes from "./ecn.module.css";
import { Sign } from "./Sign";
import { ADVICE, busyness, degrees, type EcnQuestion, type Thresholds } from "@/lib/ecn";
import { percent } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Props = {
  points: Thresholds[];
  question: EcnQuestion;
  chosen: string;
  /** Kmin from which on the fluid model holds [B]. */
  validFrom: number;
  onChoose: (name: string) => void;
};

/** Advised and shipped thresholds, judged alike, with the source of each. */
export function Defaults({ points, question, chosen, validFrom, onChoose }: Props) {
  const utilisations = points.some(({ drop_rate: lost }) => lost > 0);
  return (
    <section className={classes.block} aria-label="Shipped defaults">
      <h2>Shipped thresholds at your rate and number of flows</h2>
      <p>
        The same rules for all: {Number((100 * question.utilisation).toPrecision(4))} % utilisation, a queue of at most{" "}
        {formatQuantity(question.queue ?? question.buffer / 2, "B")}
        {question.phase_margin > 0 && `, ${question.phase_margin}° of phase margin`}.
      </p>
      <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of thresholds">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Thresholds</th>
              <th scope="col">Kmin</th>
              <th scope="col">Kmax</th>
              <th scope="col">Pmax</th>
              <th scope="col">Queue</th>
              <th scope="col">Margin</th>
              <th scope="col">Utilisation</th>
              {utilisations && <th scope="col">Dropped</th>}
              <th scope="col">Verdict and source</th>
            </tr>
          </thead>
          <tbody>
            {points.map((one) => (
              <tr key={one.name} data-chosen={one.name === chosen}>
                <th scope="row">
                  <button
                    type="button"
                    className={classes.name}
                    aria-pressed={one.name === chosen}
                    onClick={() => {
                      onChoose(one.name);
                    }}
                  >
                    <Sign advice={one.name === ADVICE} meets={one.meets} />
                    {one.name === ADVICE ? "Advice" : one.name}
                  </button>
                </th>
                <td>{formatQuantity(one.kmin, "B")}</td>
                <td>{formatQuantity(one.kmax, "B")}</td>
                <td>{percent(one.pmax)}</td>
                <td>
                  {one.stable && typeof one.queue_at_rest === "number"
                    ? formatQuantity(one.queue_at_rest, "B")
                    : `${formatQuantity(one.queue_min, "B")} – ${formatQuantity(one.queue_max, "B")}`}
                </td>
                <td>{typeof one.phase_margin_deg === "number" ? degrees(one.phase_margin_deg) : "–"}</td>
                <td>{busyness(one.utilisation)}</td>
                {utilisations && <td>{one.drop_rate > 0 ? busyness(one.drop_rate) : "0 %"}</td>}
                <td>
                  {!one.meets
                    ? `${capital(one.reasons.join("; "))}.`
                    : one.kmin < validFrom
                      ? "Meets the targets, but outside the model's validity."
                      : "Meets the targets."}
                  {one.source !== "" && <cite>{one.source}</cite>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
