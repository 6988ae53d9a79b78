import classes from "./list.module.css";
import type { PaperSummary } from "@/views/papers/api";
import { tally, VERDICTS, verdictWords } from "@/views/papers/lib/papers";

type Props = { papers: readonly PaperSummary[]; chosen: string | undefined; onChoose: (id: string) => void };

/**
 * The papers, each with the verdicts of the largest tier that was run here, else with those that came with the
 * version.
 */
export function PaperList({ papers, chosen, onChoose }: Props) {
  return (
    <ul className={classes.list} aria-label="Papers">
      {papers.map(({ id, title, authors, year, targets, verdicts, released }) => {
        const tier = (["full", "laptop", "smoke"] as const).find((one) => verdicts[one] !== undefined);
        const found = tally(
          tier === undefined ? released.targets.map(({ verdict }) => verdict) : Object.values(verdicts[tier] ?? {}),
        );
        return (
          <li key={id}>
            <button
              type="button"
              data-row
              aria-pressed={id === chosen}
              onClick={() => {
                onChoose(id);
              }}
            >
              <b>{title}</b>
              <span>
                {authors}, {year}
              </span>
              <span className={classes.counts}>
                {targets.length} targets
                {tier === undefined && released.targets.length === 0
                  ? ", not run yet"
                  : `, ${tier ?? `${released.tier} on ${released.date}`}: ${VERDICTS.filter(
                      (verdict) => found[verdict] > 0,
                    )
                      .map(
                        (verdict) =>
                          `${verdictWords[verdict].charAt(0)} ${found[verdict]}${verdictWords[verdict].slice(1)}`,
                      )
                      .join(", ")}`}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
