import { useQuery } from "@tanstack/react-query";

import classes from "./voq.module.css";
import { forms } from "@/contract/forms";
import { ApiProblem, Unreachable } from "@/api/problem";
import { voqQuery, type VoqAnswer } from "@/api/voq";
import { Notices, Refusal } from "@/features/status";
import { Fields } from "@/form/Fields";
import { FormArea } from "@/form/FormArea";
import { documentCodecOf } from "@/lib/document";
import { formOf } from "@/lib/forms";
import { grouped } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { namesOf } from "@/lib/schema";
import { useDocument, useIgnored } from "@/state/useDocument";
import { useKept } from "@/state/useKept";
import { Derivations } from "@/ui/Derivations";
import { answerPlace, Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

const schema = formOf(forms, "computeVoq");
const KNOWN = namesOf(schema);
const codec = documentCodecOf({}, KNOWN);
const NO_PROBLEMS: never[] = [];

/** The queue limit that keeps waits short when several line cards feed one port. */
export function View() {
  const [question, change] = useDocument(codec);
  const ignored = useIgnored(KNOWN);
  const { data: fresh, error, isPlaceholderData } = useQuery(voqQuery(question));
  const data = useKept(fresh);
  const refused = error instanceof ApiProblem ? error : undefined;
  return (
    <Frame
      title="VOQ limit"
      className={classes.page}
      notice={<Notices offline={error instanceof Unreachable} seen={data !== undefined} ignored={ignored} />}
    >
      <section className={`${layout.column} ${layout.left}`} aria-label="Router">
        <FormArea
          problems={refused?.errors ?? NO_PROBLEMS}
          hint={
            "Every field takes a unit. A chassis router keeps one queue per output on each line card; " +
            "the limit set is that of one queue."
          }
          onChange={change}
        >
          <Fields schema={schema} root={forms} path="" value={question} />
        </FormArea>
      </section>
      <section
        {...answerPlace}
        className={classes.answer}
        aria-label="Answer"
        data-stale={fresh === undefined || isPlaceholderData}
      >
        {refused?.errors.length === 0 ? <Refusal problem={refused} /> : data !== undefined && <Answer answer={data} />}
      </section>
    </Frame>
  );
}

function Answer({ answer: { limit, packets, memory, delay, explanations } }: { answer: VoqAnswer }) {
  return (
    <>
      <h1 className={classes.title}>
        {formatQuantity(limit, "B")}, {grouped(packets)} packets, is the most one queue may hold
      </h1>
      <p className={classes.text}>
        With all cards feeding the port at once, {formatQuantity(memory, "B")} queue for it in all.
        {delay !== null && ` With your limit the last packet waits ${formatQuantity(delay, "s")}.`}
      </p>
      <Derivations explanations={explanations} />
    </>
  );
}
