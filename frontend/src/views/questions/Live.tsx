import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { ANSWERS } from "@/answers";
import type { Shown } from "@/answers/types";
import type { Question } from "@/api/questions";
import { LiveNumber } from "@/views/questions/panels";

/** How long the slow answers wait for the quick ones, and for the quick ones to begin [ms]. */
const PATIENCE = 2000;
const QUIET = 150;

/** A question's number on its card: the one that its page leads with. */
export function Live({ question: { id, values } }: { question: Question }) {
  const kind = ANSWERS[id];
  const due = useTurn(kind?.slow === true);
  if (kind === undefined) return null;
  return due ? <kind.Answer values={values} show={Card} /> : <Card found={undefined} />;
}

/** The quick answers first: the server computes few at a time. */
function useTurn(slow: boolean): boolean {
  const busy = useIsFetching() > 0;
  const [due, setDue] = useState(!slow);
  useEffect(() => {
    if (due) return;
    const timer = setTimeout(
      () => {
        setDue(true);
      },
      busy ? PATIENCE : QUIET,
    );
    return () => {
      clearTimeout(timer);
    };
  }, [due, busy]);
  return due;
}

function Card({ found, pending, error }: Shown) {
  // A blank would look like a question without an answer.
  const waiting = pending === undefined ? (error ? "" : "computing") : pending.running ? "simulating" : "";
  return (
    <LiveNumber
      value={found?.value}
      note={found?.note ?? waiting}
      verdict={found?.verdict}
      outside={found?.outside !== undefined}
    />
  );
}
