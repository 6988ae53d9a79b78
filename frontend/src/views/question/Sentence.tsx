import type { Shown } from "@/answers/types";
import { wordsOf } from "@/api/problem";
import { useInvalidFields } from "@/form/invalid";
import { plainText } from "@/lib/problems";
import { roughly, unbroken } from "@/lib/number";
import page from "@/ui/answerPage.module.css";
import { answerPlace } from "@/ui/Frame";
import { RunButton } from "@/ui/RunButton";

/** The answer in one sentence, its number first in weight. */
export function Sentence({ found, error, pending }: Shown) {
  const refused = error ?? undefined;
  return (
    <div {...answerPlace} className={page.answer} role="status" aria-label="Answer" data-verdict={found?.verdict}>
      {refused !== undefined && <p className={page.problem}>{wordsOf(refused)}</p>}
      {found !== undefined && (
        <p className={page.sentence} aria-busy={refused !== undefined}>
          {unbroken(found.before)} <b data-outside={found.outside !== undefined}>{found.value}</b>
          {/^[.,:;]/.test(found.after) ? "" : " "}
          {unbroken(found.after)}
          {found.outside !== undefined && ` Outside validity: ${plainText(found.outside)}.`}
        </p>
      )}
      {found === undefined && refused === undefined && <Waiting pending={pending} />}
    </div>
  );
}

function Waiting({ pending }: Pick<Shown, "pending">) {
  const invalid = useInvalidFields().length > 0;
  const cost = pending?.seconds === undefined ? "" : ` (${roughly(pending.seconds)})`;
  if (pending === undefined)
    return (
      <p className={page.waiting} aria-busy="true">
        Computing…
      </p>
    );
  if (pending.running) return <p className={page.waiting}>Simulating packets{cost}…</p>;
  return (
    <p className={page.waiting}>
      Only packets answer this.{" "}
      <RunButton onRun={pending.onRun} disabled={invalid}>
        Run{cost}
      </RunButton>
    </p>
  );
}
