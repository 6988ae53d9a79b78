import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { DocumentInputs } from "@/answers/DocumentInputs";
import { nested } from "@/answers/nested";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { forms } from "@/contract/forms";
import { ApiProblem } from "@/api/problem";
import { voqQuery, type VoqAnswer } from "@/api/voq";
import { formOf } from "@/lib/forms";
import { grouped } from "@/lib/number";
import { isObject, type JsonObject } from "@/lib/path";
import { formatQuantity, parseQuantity, type Unit } from "@/lib/quantity";
import { namesOf } from "@/lib/schema";
import { useKept } from "@/state/useKept";
import { Derivations } from "@/ui/Derivations";

const root = forms;
const schema = formOf(root, "computeVoq");
const CARDS = [1, 2, 4, 8, 16];

function useVoq(values: JsonObject) {
  const { data, error, isPlaceholderData } = useQuery(voqQuery(nested(values)));
  // With the values it belongs to: the sentence repeats them.
  const fresh = useMemo(
    () => (data === undefined || isPlaceholderData ? undefined : { answer: data, values }),
    [data, isPlaceholderData, values],
  );
  return { ...useKept(fresh), error, stale: fresh === undefined };
}

/** A field as given, or its default. */
const given = (values: JsonObject, name: string) => {
  const field = isObject(schema.properties) ? schema.properties[name] : undefined;
  return values[name] ?? (isObject(field) ? field.default : undefined);
};

const shown = (values: JsonObject, name: string, unit: Unit) => {
  const value = given(values, name);
  const parsed = typeof value === "string" ? parseQuantity(value, unit) : { value };
  return "value" in parsed && typeof parsed.value === "number" ? formatQuantity(parsed.value, unit) : "–";
};

export function finding({ limit, packets, memory, delay }: VoqAnswer, values: JsonObject): Finding {
  const cards = shown(values, "line_cards", "1");
  const wait = delay === null ? "" : ` With your limit the last packet waits ${formatQuantity(delay, "s")}.`;
  return {
    value: formatQuantity(limit, "B"),
    note: "limit of one queue",
    before: "Set",
    after:
      `per queue (${grouped(packets)} packets): with ${cards} line ${cards === "1" ? "card" : "cards"} ` +
      `feeding the port at once, ` +
      `${formatQuantity(memory, "B")} drain in ${shown(values, "delay", "s")} at ` +
      `${shown(values, "rate", "bit/s")}.${wait}`,
  };
}

function Voq({ values, show: Show }: AnswerProps) {
  const { answer, values: asked, error } = useVoq(values);
  return <Show found={answer && asked && finding(answer, asked)} error={error} />;
}

/** The same limit for other numbers of line cards. */
export function VoqTable({ values }: Pick<PartProps, "values">) {
  const own = Number(given(values, "line_cards"));
  const cards = [...new Set([...CARDS, own])]
    .filter((count) => Number.isInteger(count) && count > 0)
    .toSorted((a, b) => a - b);
  const answers = useQueries({ queries: cards.map((count) => voqQuery({ ...nested(values), line_cards: count })) });
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Limit of one queue by number of line cards</caption>
      <thead>
        <tr>
          <th scope="col">Line cards at once</th>
          <th scope="col">Limit of one queue</th>
          <th scope="col">in packets</th>
          <th scope="col">All queues together</th>
        </tr>
      </thead>
      <tbody>
        {cards.map((count, i) => {
          const answer = answers[i]?.data;
          return (
            <tr key={count} data-chosen={count === own}>
              <th scope="row">{count}</th>
              <td>{answer && formatQuantity(answer.limit, "B")}</td>
              <td>{answer && grouped(answer.packets)}</td>
              <td>{answer && formatQuantity(answer.memory, "B")}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Inputs({ values, change }: PartProps) {
  const { error } = useVoq(values);
  return (
    <DocumentInputs
      root={root}
      problems={error instanceof ApiProblem ? error.errors : []}
      change={change}
      groups={[{ title: "Router", names: namesOf(schema), schema, path: "", value: nested(values) }]}
    />
  );
}

export const voqLimit: Kind = {
  Answer: Voq,
  useStale: (values) => useVoq(values).stale,
  title: "Limit by number of line cards",
  Evidence: VoqTable,
  Inputs,
  more: [
    {
      title: "Formula",
      Part: function Formula({ values }) {
        const { answer } = useVoq(values);
        return answer === undefined ? null : <Derivations explanations={answer.explanations} />;
      },
    },
  ],
};
