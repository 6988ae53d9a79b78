import classes from "./answer.module.css";
import { expectedWords } from "@/lib/expected";
import type { Result } from "@/lib/points";

/** How far each engine that does not simulate packets alone was from packets, at the nearest case that was measured. */
export function ExpectedErrors({ results }: { results: Result[] }) {
  const told = results.flatMap(({ engine, expected_error: expected }) =>
    expected === undefined || expected === null ? [] : [{ engine, words: expectedWords(expected) }],
  );
  if (told.length === 0) return null;
  return (
    <section aria-label="Expected error">
      {told.map(({ engine, words }) => (
        <p key={engine} className={classes.why}>
          <b>{engine}</b> against packets: {words}
        </p>
      ))}
    </section>
  );
}
