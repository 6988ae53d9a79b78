import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { headroomInputs } from "@/answers/headroom";
import { doubtful } from "@/answers/outside";
import { nested } from "@/answers/nested";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { asicsQuery, headroomQuery, type HeadroomAnswer } from "@/api/headroom";
import { bracket } from "@/lib/answerWords";
import { holding, linkOf, outsideWords } from "@/lib/headroom";
import { percent } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { plainText } from "@/lib/problems";
import { formatQuantity } from "@/lib/quantity";

const ASKED = ["2 km", "80 km", "120 km"];

function useDistances(values: JsonObject) {
  const link = useMemo(() => linkOf(nested(values)), [values]);
  const cables = useMemo(
    () => [...new Set([...ASKED, typeof link.cable === "string" ? link.cable : ""])].filter((cable) => cable !== ""),
    [link],
  );
  const found = useQueries({ queries: cables.map((cable) => headroomQuery({ ...link, cable })) });
  const { data: asics } = useQuery(asicsQuery);
  const chip = asics?.find(({ id }) => id === link.asic);
  const answers = found
    .flatMap(({ data }) => (data === undefined ? [] : [data]))
    .toSorted((a, b) => a.inputs.cable - b.inputs.cable);
  return {
    answers,
    own: found[cables.findIndex((cable) => cable === link.cable)]?.data,
    error: found.find(({ error }) => error !== null)?.error,
    chip,
    memory: chip?.buffer_usable ?? chip?.buffer_nominal ?? undefined,
  };
}

const span = ({ range: { lowest, highest } }: HeadroomAnswer) => {
  const { number, unit } = bracket(lowest.headroom, highest.headroom);
  return `${number} ${unit}`;
};

function Distance({ values, show: Show }: AnswerProps) {
  const { answers, own, error, chip, memory } = useDistances(values);
  const found: Finding | undefined =
    own && answers.length >= ASKED.length ? finding(own, answers, chip?.external_memory ?? "", memory) : undefined;
  return <Show found={found} error={error} />;
}

export function finding(
  own: HeadroomAnswer,
  answers: HeadroomAnswer[],
  outside: string,
  memory: number | undefined,
): Finding {
  const others = answers
    .filter((one) => one !== own && one.inputs.cable !== own.inputs.cable)
    .map((one) => `${span(one)} at ${formatQuantity(one.inputs.cable, "m")}`);
  const external = outside === "" || outside === "none" ? "" : `, external memory included (${outside})`;
  const chip = memory === undefined ? "" : `; the chip has ${formatQuantity(memory, "B")}${external}`;
  const sizes = holding(own.schemes).map(({ headroom }) => headroom);
  const verdict =
    memory === undefined || sizes.length === 0
      ? "At"
      : Math.max(...sizes) <= memory
        ? "Yes: at"
        : Math.min(...sizes) > memory
          ? "No: at"
          : "By some of the schemes only: at";
  const found = {
    value: span(own),
    note: "for one lossless class of one port",
    before:
      `${verdict} ${formatQuantity(own.inputs.cable, "m")} one lossless class of a ` +
      `${formatQuantity(own.inputs.speed, "bit/s")} port needs`,
    after: `(${others.join(", ")})${chip}.${sizes.length === 0 ? "" : outsideWords(own.schemes)}`,
  };
  return sizes.length === 0 ? doubtful(found, Object.values(own.schemes).at(-1)?.outside ?? "") : found;
}

function Table({ values }: PartProps) {
  const { answers, memory } = useDistances(values);
  const first = answers[0];
  if (first === undefined) return null;
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">Headroom by distance and scheme</caption>
      <thead>
        <tr>
          <th scope="col">Distance</th>
          {Object.entries(first.schemes).map(([name, { title }]) => (
            <th key={name} scope="col">
              {title}
            </th>
          ))}
          {memory !== undefined && <th scope="col">Largest as share of {formatQuantity(memory, "B")} memory</th>}
        </tr>
      </thead>
      <tbody>
        {answers.map(({ inputs, schemes, range }) => (
          <tr key={inputs.cable}>
            <th scope="row">{formatQuantity(inputs.cable, "m")}</th>
            {Object.entries(schemes).map(([name, { headroom, outside }]) => (
              <td key={name}>
                <span data-outside={outside !== ""}>{formatQuantity(headroom, "B")}</span>
              </td>
            ))}
            {memory !== undefined && (
              <td data-bad={range.highest.headroom > memory}>{percent(range.highest.headroom / memory)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Notes({ values }: PartProps) {
  const { own } = useDistances(values);
  return (
    <ul className={classes.notes}>
      {[
        ...Object.values(own?.schemes ?? {}).flatMap(({ title, outside }) =>
          outside === "" ? [] : [`Outside validity: ${title}: ${plainText(outside)}.`],
        ),
        ...(own?.notes ?? []),
        "PFC itself has no distance limit: the pause takes one trip to reach the sender, and " +
          "everything in flight in both directions has to be stored.",
      ].map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

export const longHaul: Kind = {
  Answer: Distance,
  title: "Headroom of one class by distance",
  Evidence: Table,
  Inputs: headroomInputs({ link: ["speed", "cable", "mtu"] }),
  more: [{ title: "Notes", Part: Notes }],
};
