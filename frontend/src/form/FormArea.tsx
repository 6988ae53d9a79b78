import { useCallback, useMemo, useState, type ReactNode } from "react";

import { FormContext, type Form, type Help } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { HelpLine } from "@/form/HelpLine";
import { Problems } from "@/form/Problems";
import type { Axis } from "@/lib/component";
import type { Json } from "@/lib/path";

type Props = {
  /** What the API refuses, by dotted path. */
  problems: { path: string; message: string }[];
  /** Shown while no field is looked at. */
  hint: string;
  /** Axes that parts of the document are picked from, where it has any. */
  axes?: Axis[];
  onChange: (path: string, value: Json | undefined) => void;
  children: ReactNode;
};

const NO_AXES: Axis[] = [];

/** Fields of a document other than a scenario, and a line about the field at hand. */
export function FormArea({ problems, hint, axes = NO_AXES, onChange, children }: Props) {
  const [help, setHelp] = useState<Help | null>(null);
  const show = useCallback((next: Help | null) => {
    setHelp((before) => (before?.path === next?.path ? before : next));
  }, []);
  const form: Form = useMemo(
    () => ({
      axes: new Map(axes.map((axis) => [axis.axis, axis])),
      axisNames: new Set(axes.map((axis) => axis.axis)),
      errors: new Map(problems.map(({ path, message }) => [path, message])),
      examples: [],
      change: onChange,
      help: show,
    }),
    [axes, problems, onChange, show],
  );
  return (
    <FormContext value={form}>
      <div className={classes.document} data-form>
        <Problems problems={problems} />
        {children}
      </div>
      <HelpLine help={help} hint={hint} />
    </FormContext>
  );
}
