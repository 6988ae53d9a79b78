import classes from "./sharing.module.css";
import { Verdict } from "./Verdict";
import type { Axis } from "@/lib/component";
import {
  absorbsWords,
  alphaWords,
  arrivalWords,
  lossWords,
  nameOf,
  observedWords,
  type Emulation,
} from "@/lib/emulation";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

/** How much it absorbs where bursts follow one another. */
const repeatedWords = ({ repeated }: NonNullable<Emulation["policies"][number]["absorbs"]>) =>
  repeated === null ? "" : `, ${formatQuantity(repeated.bytes, "B")} when repeated`;

/** The answer in words: what arrives, which alpha absorbs it, and what each policy drops. */
export function SharingAnswer({
  answer,
  axis,
  onRun,
}: {
  answer: Emulation;
  axis: Axis | undefined;
  onRun: (() => void) | undefined;
}) {
  const { policies, smallest_alpha: alpha, notes, question } = answer;
  const lossless = policies.filter((policy) => policy.lossless).length;
  const headline = alphaWords(alpha) ?? `${lossless} of ${policies.length} policies lose nothing`;
  return (
    <div className={classes.answer}>
      <h1>{headline}</h1>
      <p>{arrivalWords(answer)}</p>
      {alpha !== null && (
        <dl className={classes.alpha}>
          <div>
            <dt>Smallest α, emulated</dt>
            <dd>{alpha.emulated === null ? "none" : significant(alpha.emulated)}</dd>
          </div>
          <div>
            <dt>Smallest α, closed form</dt>
            <dd>{alpha.closed_form === null ? "–" : significant(alpha.closed_form)}</dd>
          </div>
          <div>
            <dt>SONiC dynamic_th, α = 2ⁿ</dt>
            <dd>{alpha.dynamic_th === null ? "–" : `n = ${alpha.dynamic_th}`}</dd>
          </div>
        </dl>
      )}
      <ul className={classes.policies}>
        {policies.map((policy, i) => (
          <li key={i}>
            <p>
              <b>{nameOf(policy, axis)}</b> <Verdict lossless={policy.lossless} />
            </p>
            <p>
              Loses {lossWords(policy)}
              {firstDrop(policy.bursts) !== undefined && `, from ${formatQuantity(firstDrop(policy.bursts) ?? 0, "s")}`}
              . The longest queue{policy.peak_port === 0 ? "" : `, at port ${policy.peak_port},`} reaches{" "}
              {formatQuantity(policy.peak_queue, "B")}.
              {policy.absorbs !== null &&
                ` Largest burst absorbed: ${absorbsWords(policy.absorbs)}${repeatedWords(policy.absorbs)}.`}
            </p>
            {Object.keys(policy.observed).length > 0 && <p className={classes.muted}>{observedWords(policy)}.</p>}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className={classes.muted}>
          {note}
        </p>
      ))}
      {onRun !== undefined && question.trace === undefined && (
        <p>
          These senders do not react to loss; senders that do may lose more or less:{" "}
          <button type="button" className={classes.link} onClick={onRun}>
            the same incast packet by packet
          </button>
        </p>
      )}
    </div>
  );
}

/** When the first packet of any burst was lost. */
function firstDrop(bursts: Emulation["policies"][number]["bursts"]): number | undefined {
  const times = bursts.flatMap(({ first_drop: at }) => (at === null ? [] : [at]));
  return times.length === 0 ? undefined : Math.min(...times);
}
