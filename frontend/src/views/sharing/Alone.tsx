import { useMemo } from "react";

import { Modes } from "./Modes";
import classes from "./sharing.module.css";
import { PolicyList, PolicyPlots, PolicyTable, SharingAnswer, TraceFile } from "@/features/sharing";
import { Refusal, Waiting } from "@/features/status";
import { FormArea } from "@/form/FormArea";
import { Section } from "@/form/Section";
import { INCAST, nameOf, policyColumns, stepsOf, type SharingPanel } from "@/lib/emulation";
import { namesOf } from "@/lib/schema";
import type { SharingBench } from "@/views/sharing/state/useSharing";
import { ColumnsTable } from "@/ui/ColumnsTable";
import { Derivations } from "@/ui/Derivations";
import { answerPlace } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";
import { Tabs } from "@/ui/Tabs";

const tabs: { id: SharingPanel; title: string }[] = [
  { id: "answer", title: "Answer" },
  { id: "explain", title: "Explain" },
  { id: "values", title: "Values" },
];
const BURST = ["degree", "size", "packet", "ingress_rate", "synchronised", "bursts", "interval"];
const OTHERS = INCAST.filter((name) => !BURST.includes(name));
const isTraces = ({ path }: { path: string }) => path === "trace" || path.startsWith("trace.");
const COMPUTED = ["capacity", "steps"];
const placed = new Set([...INCAST, "policies", "trace", ...COMPUTED]);

/** Switch and burst on the left, the policies side by side in the centre, the answer in words on the right. */
export function Alone({ bench }: { bench: SharingBench }) {
  const { answer, refusal, stale, problems } = bench;
  const dim = stale && answer !== undefined;
  return (
    <>
      <Inputs bench={bench} />
      <section className={`${layout.column} ${layout.centre}`} aria-label="Policies" aria-busy={stale}>
        <div className={layout.scroll}>
          {refusal !== undefined && <Refusal problem={refusal} />}
          {answer === undefined && refusal === undefined && problems.length === 0 && !bench.offline && <Waiting />}
          {answer !== undefined && (
            <div data-stale={dim}>
              <h2 className={classes.heading}>Admitted and dropped, by policy</h2>
              <PolicyTable
                policies={answer.policies}
                axis={bench.axis}
                chosen={bench.chosen}
                onChoose={(index) => {
                  bench.show("policy", index === 0 ? undefined : index);
                }}
              />
              <PolicyPlots
                answer={answer}
                axis={bench.axis}
                port={bench.port}
                near={bench.near}
                onPort={(port) => {
                  bench.show("port", port);
                }}
                onNear={(near) => {
                  bench.show("near", near ? undefined : false);
                }}
              />
            </div>
          )}
        </div>
      </section>
      <section {...answerPlace} className={`${layout.column} ${layout.right}`} aria-label="Answer">
        <Tabs
          label="Answer, derivation and values"
          tabs={tabs}
          chosen={bench.panel}
          onPick={(panel) => {
            bench.show("panel", panel === "answer" ? undefined : panel);
          }}
        >
          <div data-stale={dim}>
            <Panels bench={bench} />
          </div>
        </Tabs>
      </section>
    </>
  );
}

function Inputs({ bench }: { bench: SharingBench }) {
  const { state, schema, root, trace, problems, policies, axis, axes } = bench;
  const fields = { schema, root, path: "", value: state };
  const rest = useMemo(() => namesOf(schema).filter((name) => !placed.has(name)), [schema]);
  const ofTrace = problems
    .filter(isTraces)
    .map(({ path, message }) => `${path.replace(/^trace\.?/, "") || "The file"}: ${message}`);
  const ofFields = useMemo(() => problems.filter((problem) => !isTraces(problem)), [problems]);
  return (
    <section className={`${layout.column} ${layout.left}`} aria-label="Switch and burst">
      <Modes
        mode="alone"
        onMode={() => {
          bench.show("mode", "run");
        }}
      />
      <FormArea
        problems={ofFields}
        axes={axes}
        hint="Every field takes a unit. The senders do not react to loss: the arrivals are the same for every policy."
        onChange={bench.edit}
      >
        <Section title="Switch" names={rest} {...fields} initially />
        {trace === undefined && (
          <>
            <Section title="Incast" names={BURST} {...fields} initially />
            <Section title="On other ports" names={OTHERS} {...fields} />
          </>
        )}
        <TraceFile name={trace?.name} problems={ofTrace} onTake={bench.setTrace} />
        {axis !== undefined && <PolicyList policies={policies} axis={axis} onList={bench.compare} />}
        <Section title="Computation" names={COMPUTED} {...fields} />
      </FormArea>
    </section>
  );
}

function Panels({ bench }: { bench: SharingBench }) {
  const { answer, panel, chosen, port } = bench;
  if (answer === undefined) return null;
  if (panel === "explain") return <Derivations explanations={answer.explanations} />;
  if (panel === "answer") {
    return (
      <SharingAnswer
        answer={answer}
        axis={bench.axis}
        onRun={() => {
          bench.show("mode", "run");
        }}
      />
    );
  }
  const policy = answer.policies[chosen];
  if (policy === undefined) return null;
  return (
    <>
      <label className={classes.pick}>
        Policy
        <select
          value={chosen}
          onChange={({ currentTarget }) => {
            bench.show("policy", Number(currentTarget.value));
          }}
        >
          {answer.policies.map((one, i) => (
            <option key={i} value={i}>
              {nameOf(one, bench.axis)}
            </option>
          ))}
        </select>
      </label>
      <ColumnsTable
        label={`${nameOf(policy, bench.axis)} over time`}
        rows={{ title: "Until", unit: "s", values: stepsOf(answer.time).ends }}
        columns={policyColumns(policy, port)}
      />
    </>
  );
}
