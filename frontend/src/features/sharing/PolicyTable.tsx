import classes from "./sharing.module.css";
import { Verdict } from "./Verdict";
import type { Axis } from "@/lib/component";
import { absorbsWords, burstLoss, losesElsewhere, nameOf, type Emulated } from "@/lib/emulation";
import { percent } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Props = {
  policies: readonly Emulated[];
  axis: Axis | undefined;
  chosen: number;
  onChoose: (index: number) => void;
};

/** What every policy admitted and dropped of the same arrivals, and the largest burst it absorbs without loss. */
export function PolicyTable({ policies, axis, chosen, onChoose }: Props) {
  const absorbs = policies.some((policy) => policy.absorbs !== null);
  const formulas = policies.some(
    (policy) => policy.absorbs?.closed_form !== null && policy.absorbs?.closed_form !== undefined,
  );
  const apart = losesElsewhere(policies);
  return (
    <div className={classes.wrap} tabIndex={0} role="group" aria-label="Table of policies">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Policy</th>
            <th scope="col">Verdict</th>
            <th scope="col">Admitted</th>
            <th scope="col">Dropped</th>
            <th scope="col">Share</th>
            {apart && (
              <th scope="col" title="Share of the incast that is lost">
                Burst lost
              </th>
            )}
            <th scope="col">Longest queue</th>
            {absorbs && (
              <th scope="col" title="Largest single burst that is not lost, with the other traffic present">
                Absorbs
              </th>
            )}
            {formulas && (
              <th scope="col" title="Where there is a formula">
                In closed form
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {policies.map((policy, i) => (
            <tr key={i} data-chosen={i === chosen}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={i === chosen}
                  onClick={() => {
                    onChoose(i);
                  }}
                >
                  {nameOf(policy, axis)}
                </button>
              </th>
              <td>
                <Verdict lossless={policy.lossless} />
              </td>
              <td>{formatQuantity(policy.admitted.bytes, "B")}</td>
              <td>{formatQuantity(policy.dropped.bytes, "B")}</td>
              <td>{percent(policy.drop_rate)}</td>
              {apart && <td>{percent(burstLoss(policy).share)}</td>}
              <td>{formatQuantity(policy.peak_queue, "B")}</td>
              {absorbs && <td>{absorbsWords(policy.absorbs)}</td>}
              {formulas && (
                <td title={policy.absorbs?.closed_form?.formula}>
                  {policy.absorbs?.closed_form === null || policy.absorbs?.closed_form === undefined
                    ? "–"
                    : formatQuantity(policy.absorbs.closed_form.bytes, "B")}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
