import classes from "./assumptions.module.css";
import controls from "./controls.module.css";
import type { Paper } from "@/views/papers/api";
import { significant } from "@/lib/number";

type Props = { paper: Paper; onScenarios: () => void };

/** What the paper does not say and was settled here, what was fitted, and what the runs cannot show. */
export function Assumptions({ paper, onScenarios }: Props) {
  return (
    <div className={classes.assumptions}>
      <p className={classes.change}>
        Each assumption is a field of the scenarios.{" "}
        <button type="button" className={controls.link} onClick={onScenarios}>
          Open a scenario to change it
        </button>
      </p>
      {paper.experiments.map(({ id, title, about, assumptions, fitted, chosen, kept, cannot_show: cannot }) => (
        <section key={id} aria-label={title}>
          <h2>{title}</h2>
          <p>{about}</p>
          {assumptions.length > 0 && (
            <>
              <h3>Assumed</h3>
              <dl>
                {assumptions.map(({ what, value, why, effect }) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      <b>{value}</b>
                      <p>{why}</p>
                      <p>If it differs: {effect}</p>
                    </dd>
                  </div>
                ))}
              </dl>
            </>
          )}
          {fitted.length > 0 && (
            <>
              <h3>Fitted once, then kept</h3>
              <ul>
                {fitted.map(({ what, value, to, how }) => (
                  <li key={what}>
                    {what}: <b>{significant(value)}</b>, fitted to {to}. {how}
                  </li>
                ))}
              </ul>
            </>
          )}
          {chosen.length > 0 && (
            <>
              <h3>Values we chose, because the paper does not give them</h3>
              <ul>
                {chosen.map(({ what, value, why }) => (
                  <li key={what}>
                    {what}: <b>{typeof value === "number" ? significant(value) : value}</b>. {why}
                  </li>
                ))}
              </ul>
            </>
          )}
          {kept !== "" && (
            <>
              <h3>What the smaller runs keep</h3>
              <p>{kept}</p>
            </>
          )}
          {cannot.length > 0 && (
            <>
              <h3>What it cannot show</h3>
              <ul>
                {cannot.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            </>
          )}
        </section>
      ))}
    </div>
  );
}
