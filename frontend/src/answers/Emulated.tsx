import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import classes from "./answers.module.css";
import { DocumentInputs } from "@/answers/DocumentInputs";
import { nested } from "@/answers/nested";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import { emulateQuery } from "@/api/emulate";
import { forms } from "@/contract/forms";
import { ApiProblem } from "@/api/problem";
import { catalogQuery } from "@/api/queries";
import { PolicyTable } from "@/features/sharing";
import type { Axis } from "@/lib/component";
import { nameOf, questionOf, type Emulation } from "@/lib/emulation";
import { formOf } from "@/lib/forms";
import { percent, significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";
import { useKept } from "@/state/useKept";
import { Derivations } from "@/ui/Derivations";

const root = forms;
const schema = formOf(root, "emulate");
const nothing = () => {};

function useEmulation(values: JsonObject) {
  const question = useMemo(() => questionOf(nested(values), undefined), [values]);
  const { data, error, isPlaceholderData } = useQuery(emulateQuery(question));
  return { answer: useKept(data), error, stale: data === undefined || isPlaceholderData };
}

function useSharingAxis() {
  const { data: catalog, error } = useQuery(catalogQuery);
  return { axis: catalog?.axes.find((one) => one.axis === "sharing"), unnamed: error };
}

const useStale = (values: JsonObject) => useEmulation(values).stale;

const inputsOf = (names: string[]) =>
  function EmulatedInputs({ values, change }: PartProps) {
    const { error } = useEmulation(values);
    return (
      <DocumentInputs
        root={root}
        problems={error instanceof ApiProblem ? error.errors : []}
        change={change}
        groups={[{ title: "Switch and burst", names, schema, path: "", value: nested(values) }]}
      />
    );
  };

function Policies({ values }: PartProps) {
  const { answer } = useEmulation(values);
  const { axis } = useSharingAxis();
  if (answer === undefined) return null;
  return (
    <>
      <PolicyTable policies={answer.policies} axis={axis} chosen={-1} onChoose={nothing} />
      <ul className={classes.notes}>
        {answer.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        <li>These senders do not react to loss; senders that do may lose more or less.</li>
      </ul>
    </>
  );
}

function Derived({ values }: PartProps) {
  const { answer } = useEmulation(values);
  return answer === undefined ? null : <Derivations explanations={answer.explanations} />;
}

const derived = { title: "Formulas", Part: Derived };

/** Which of the compared policies lose, and how much. */
function losses({ policies }: Emulation, axis: Axis): string {
  const losing = policies.filter(({ lossless }) => !lossless);
  if (losing.length === 0)
    return policies.length === 1
      ? "at its usual settings the policy below absorbs it without loss"
      : `at their usual settings all ${policies.length} policies compared below absorb it without loss`;
  return (
    `at their usual settings ` + losing.map((one) => `${nameOf(one, axis)} loses ${percent(one.drop_rate)}`).join(", ")
  );
}

export function alpha(answer: Emulation, axis: Axis): Finding {
  const found = answer.smallest_alpha;
  const losing = losses(answer, axis);
  if (!found) {
    const lossless = answer.policies.filter((one) => one.lossless).length;
    return {
      value: `${lossless} of ${answer.policies.length}`,
      note: "policies lose nothing",
      before: "No policy compared has an α;",
      after: "policies lose nothing.",
    };
  }
  if (found.emulated === null) {
    return {
      value: `α = ${significant(found.best_alpha, 2)}`,
      note: "loses least",
      verdict: "bad",
      before: "No α avoids loss;",
      after: `loses least, ${formatQuantity(found.best_dropped, "B")}.`,
    };
  }
  const step =
    found.dynamic_th === null
      ? ""
      : ` Set dynamic_th ${found.dynamic_th} (α = ${significant(2 ** found.dynamic_th, 3)}).`;
  const queue = found.queue === null ? "" : `The queue grows to ${formatQuantity(found.queue, "B")}; `;
  const rest = `${queue}${losing}.`;
  return {
    value: `α = ${significant(found.emulated, 2)}`,
    note: "smallest that loses nothing",
    before: "From",
    after: `upwards nothing is lost.${step} ${rest.charAt(0).toUpperCase()}${rest.slice(1)}`,
  };
}

function Alpha({ values, show: Show }: AnswerProps) {
  const { answer, error } = useEmulation(values);
  const { axis, unnamed } = useSharingAxis();
  // The sentence names the policies.
  return <Show found={answer && axis && alpha(answer, axis)} error={error ?? unnamed} />;
}

export const incastAlpha: Kind = {
  Answer: Alpha,
  useStale,
  title: "Each policy at its usual settings",
  Evidence: Policies,
  Inputs: inputsOf(["degree", "size", "rate", "ports", "buffer", "congested", "load"]),
  more: [derived],
};

export function waiting(answer: Emulation): Finding {
  const queue = answer.smallest_alpha?.queue ?? Math.max(0, ...answer.policies.map(({ peak_queue: peak }) => peak));
  const { bytes, rate, drain } = answer.arrivals;
  // What waits while the burst arrives, if there is memory for it.
  const whole = rate === null ? queue : bytes * Math.max(0, 1 - drain / rate);
  const lost = Math.min(...answer.policies.map(({ dropped }) => dropped.bytes));
  if (answer.policies.length > 0 && lost > 0 && typeof answer.smallest_alpha?.emulated !== "number")
    return {
      value: formatQuantity(whole, "B"),
      note: "of the burst queued, more than there is room for",
      verdict: "bad",
      before:
        `${formatQuantity(bytes, "B")} at ${rate === null ? "line rate" : formatQuantity(rate, "bit/s")} ` +
        `into ${formatQuantity(drain, "bit/s")}:`,
      after:
        `would have to be buffered, ${percent(whole / bytes)} of the burst, but a queue reaches ` +
        `${formatQuantity(queue, "B")} at most here: at least ${formatQuantity(lost, "B")} are lost.`,
    };
  const needed = answer.smallest_alpha?.emulated;
  const admitted =
    typeof needed === "number" && queue > 0
      ? `; under dynamic thresholds α ≥ ${significant(needed, 2)} admits them`
      : "";
  return {
    value: formatQuantity(queue, "B"),
    note: "of the burst queued",
    before:
      `${formatQuantity(bytes, "B")} at ${rate === null ? "line rate" : formatQuantity(rate, "bit/s")} ` +
      `into ${formatQuantity(drain, "bit/s")}:`,
    after: `must be buffered, ${percent(queue / bytes)} of the burst${admitted}.`,
  };
}

function Waiting({ values, show: Show }: AnswerProps) {
  const { answer, error } = useEmulation(values);
  return <Show found={answer && waiting(answer)} error={error} />;
}

export const speedDown: Kind = {
  Answer: Waiting,
  useStale,
  title: "Each policy at its usual settings",
  Evidence: Policies,
  Inputs: inputsOf(["degree", "size", "ingress_rate", "rate", "ports", "buffer"]),
  more: [derived],
};
