import type { ReactNode } from "react";

import classes from "./verdict.module.css";
import type { StabilityAnswer } from "@/views/stability/api";
import { busyness } from "@/lib/ecn";
import { formatQuantity } from "@/lib/quantity";
import {
  pushOf,
  rateText,
  restRows,
  rootText,
  signed,
  signedTime,
  verdictOf,
} from "@/views/stability/lib/stabilityWords";

type Props = {
  answer: StabilityAnswer;
  stale: boolean;
  /** Puts a ramp on a queue that marks nothing; undefined where it marks already. */
  onMark: (() => void) | undefined;
};

/** The verdict in words, then every number behind it. */
export function Verdict({ answer, stale, onMark }: Props) {
  const { stable, fixed_point: point, rightmost, reason, notes, published = [] } = answer;
  return (
    <div className={classes.answer} data-stale={stale} aria-live="polite">
      <h1>{verdictOf(answer)}</h1>
      <p className={classes.sign} data-stable={stable ?? "open"}>
        {stable === true ? "✓ Stable" : stable === false ? "✕ Not stable" : "? Undecided"}
      </p>
      {rightmost !== undefined && <p>A small disturbance {pushOf(rightmost)}.</p>}
      {reason !== undefined && (
        <div className={classes.reason}>
          There is no linear answer: {reason}.
          {onMark !== undefined && (
            <button type="button" onClick={onMark}>
              Mark with RED instead of dropping
            </button>
          )}
        </div>
      )}
      <CycleFacts answer={answer} />
      {Object.keys(point).length > 0 && (
        <>
          <h2 className={classes.part}>Equilibrium</h2>
          <dl className={classes.facts}>
            {restRows(point).map(({ key, name, value }) => (
              <Fact key={key} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
        </>
      )}
      <Margins answer={answer} />
      <MethodsTable answer={answer} />
      <FairnessFacts answer={answer} />
      {published.length > 0 && (
        <>
          <h2 className={classes.part}>Published phase margins for these parameters</h2>
          {published.map(({ id, published: theirs, ours, source, differs }) => (
            <div key={id} className={classes.published}>
              <p>
                <b>{signed(theirs, "°")}</b> published
                {ours !== undefined && <>, {signed(ours, "°")} here</>}
              </p>
              <p className={classes.why}>{differs}</p>
              <p className={classes.why}>{source}</p>
            </div>
          ))}
        </>
      )}
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CycleFacts({ answer: { cycle } }: { answer: StabilityAnswer }) {
  if (cycle === undefined) return null;
  return (
    <>
      <h2 className={classes.part}>Oscillation</h2>
      <dl className={classes.facts}>
        <Fact name="Minimum to maximum queue">
          {formatQuantity(cycle.queue_min, "B")} – {formatQuantity(cycle.queue_max, "B")}
        </Fact>
        <Fact name="Mean queue">{formatQuantity(cycle.mean, "B")}</Fact>
        {cycle.period !== undefined && <Fact name="Period">{formatQuantity(cycle.period, "s")}</Fact>}
        <Fact name="Utilisation">{busyness(cycle.utilisation)}</Fact>
      </dl>
    </>
  );
}

function Margins({ answer }: { answer: StabilityAnswer }) {
  const {
    phase_margin_deg: phase,
    gain_margin_db: gain,
    delay_margin_s: delay,
    critical_delay_s: critical,
    crossover_rad_s: crossover,
    loop_delay_s: loop,
    rightmost,
  } = answer;
  const rows: [string, string | undefined][] = [
    ["Rightmost root", rightmost === undefined ? undefined : rootText(rightmost)],
    ["Phase margin", phase === undefined ? undefined : signed(phase, "°")],
    ["Gain margin", gain === undefined ? undefined : signed(gain, "dB")],
    ["Delay margin", delay === undefined ? undefined : signedTime(delay)],
    ["Crossover", crossover === undefined ? undefined : formatQuantity(crossover, "rad/s")],
    ["Loop delay", formatQuantity(loop, "s")],
    ["Critical loop delay", critical === undefined ? undefined : formatQuantity(critical, "s")],
  ];
  return (
    <>
      <h2 className={classes.part}>Roots and margins</h2>
      <dl className={classes.facts}>
        {rows.map(
          ([name, value]) =>
            value !== undefined && (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ),
        )}
      </dl>
    </>
  );
}

const said = (stable: boolean | null | undefined) =>
  stable === true ? "stable" : stable === false ? "unstable" : "undecided";

function MethodsTable({ answer: { methods } }: { answer: StabilityAnswer }) {
  if (methods === undefined) return null;
  const { eigenvalues, loop_gain: loop, agree } = methods;
  return (
    <>
      <h2 className={classes.part}>Two methods</h2>
      <table className={classes.methods}>
        <tbody>
          <tr>
            <th scope="row">Characteristic roots</th>
            <td>{rootText(eigenvalues.rightmost)}</td>
            <td>{said(eigenvalues.stable)}</td>
          </tr>
          <tr>
            <th scope="row">Loop gain</th>
            <td>
              {typeof loop.roots_on_the_right === "number" ? `${loop.roots_on_the_right} in the right half-plane` : "–"}
            </td>
            <td>{said(loop.stable)}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes.agree}>
        {agree ? "Both agree" : "They disagree"}. The loop is opened at {loop.cut.replaceAll("_", " ")} ({loop.loops}).
      </p>
    </>
  );
}

function FairnessFacts({ answer: { fairness } }: { answer: StabilityAnswer }) {
  if (fairness === undefined) return null;
  const words =
    fairness.stable === true
      ? "Differences decay"
      : fairness.stable === false
        ? "Differences grow"
        : "Differences persist";
  return (
    <>
      <h2 className={classes.part}>Between equal flows</h2>
      <dl className={classes.facts}>
        <Fact name={words}>
          {rateText(fairness.rightmost[0])}
          {typeof fairness.decay_s === "number" && <small>to 1/e in {formatQuantity(fairness.decay_s, "s")}</small>}
        </Fact>
      </dl>
    </>
  );
}
