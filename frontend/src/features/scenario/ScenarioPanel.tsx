import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import { Derivations } from "./Derivations";
import { MemoryStack } from "./MemoryStack";
import classes from "./scenario.module.css";
import { memoryQuery } from "@/api/memory";
import { ApiProblem, type FieldProblem } from "@/api/problem";
import { FormContext, type Form, type Help } from "@/form/FormContext";
import { HelpLine } from "@/form/HelpLine";
import { Problems } from "@/form/Problems";
import { SchemaForm } from "@/form/SchemaForm";
import type { Axis } from "@/lib/component";
import type { Derived } from "@/lib/derived";
import { pauses } from "@/lib/memory";
import type { Json, JsonObject } from "@/lib/path";
import { joined } from "@/lib/problems";

type Props = {
  axes: Axis[];
  schema: JsonObject;
  scenario: JsonObject;
  examples: JsonObject[];
  problems: FieldProblem[];
  derived: Derived;
  /** Shown while no field is looked at. */
  hint?: string;
  onChange: (path: string, value: Json | undefined) => void;
};

const HINT = "Every field takes a unit. Up and Down step a number, Ctrl+Enter runs the packets.";
const FOLDED = new Set(["run"]);

/** The scenario as a form, what follows from it by arithmetic, and a line about the field at hand. */
export function ScenarioPanel({ axes, schema, scenario, examples, problems, derived, hint = HINT, onChange }: Props) {
  const [help, setHelp] = useState<Help | null>(null);
  // Whether memory suffices is known while it is typed, wherever the form stands.
  const { error: divided } = useQuery(memoryQuery(pauses(scenario) ? scenario : undefined));
  const all = useMemo(() => joined(problems, divided instanceof ApiProblem ? divided.errors : []), [problems, divided]);
  const show = useCallback((next: Help | null) => {
    setHelp((before) => (before?.path === next?.path ? before : next));
  }, []);
  const form: Form = useMemo(
    () => ({
      axes: new Map(axes.map((axis) => [axis.axis, axis])),
      axisNames: new Set(axes.map((axis) => axis.axis)),
      errors: new Map(all.map(({ path, message }) => [path, message])),
      scenario,
      examples,
      change: onChange,
      help: show,
    }),
    [axes, all, scenario, examples, onChange, show],
  );
  return (
    <FormContext value={form}>
      <div className={classes.form}>
        <Problems problems={all} />
        <SchemaForm schema={schema} value={scenario} folded={FOLDED} />
      </div>
      <MemoryStack scenario={scenario} />
      <Derivations derived={derived} />
      <HelpLine help={help} hint={hint} />
    </FormContext>
  );
}
