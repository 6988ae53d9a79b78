import { inputs, targetWords } from "@/answers/Backbone";
import type { AnswerProps, Kind, PartProps } from "@/answers/types";
import { ControlsRemarks, ControlsTable } from "@/answers/byControl";
import { findingOf } from "@/lib/controls";
import { useControls } from "@/answers/byControl/useControls";

function Answer({ values, show: Show }: AnswerProps) {
  const bench = useControls(values, false);
  // The sentence waits for the last control, or it would change with each.
  const found =
    bench.working || bench.stale ? undefined : findingOf(bench.rows, targetWords(bench.objectives), bench.flows);
  return <Show found={found} error={bench.error} />;
}

function Table({ values }: PartProps) {
  const bench = useControls(values, false);
  return <ControlsTable bench={bench} flows={bench.flows} />;
}

function Remarks({ values }: PartProps) {
  const bench = useControls(values, false);
  return <ControlsRemarks bench={bench} flows={bench.flows} />;
}

export const controls: Kind = {
  slow: true,
  Answer,
  title: "Smallest buffer by congestion control",
  Evidence: Table,
  Inputs: inputs,
  more: [{ title: "Why figures are faded or missing", Part: Remarks }],
};
