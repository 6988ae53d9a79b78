import type { ReactNode } from "react";

import { fieldId, useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { Typeset } from "@/form/Typeset";
import { useReportInvalid } from "@/form/invalid";
import { plainMessage, plainText, problemAt } from "@/lib/problems";
import { aboutField, type Field } from "@/lib/schema";

type Props = {
  field: Field;
  path: string;
  /** What is wrong with the text itself; the API's word on it comes second. */
  error?: string | undefined;
  /** The value shown is the default. */
  standard: boolean;
  children: (control: Control) => ReactNode;
};

/** What a control needs so that its label, its description and its error are announced with it. */
export type Control = { id: string; "aria-describedby": string; "aria-invalid": boolean; "data-standard": boolean };

/** A symbol that spells out its label is left out. */
const plain = (text: string) => text.toLowerCase().replace(/[\s_]/g, "");

/** One line of the form: label and symbol, the control, and what is wrong with it. */
export function Row({ field, path, error, standard, children }: Props) {
  const { errors, help } = useForm();
  const id = fieldId(path);
  const refused = problemAt(errors, path);
  const problem = error ?? (refused === undefined ? undefined : plainMessage(refused, path));
  useReportInvalid(field.label, problem !== undefined);
  const announce = () => {
    help({ field, path });
  };
  return (
    <div className={classes.row} onFocus={announce} onPointerEnter={announce}>
      <label className={classes.label} htmlFor={id}>
        {/* A screen reader would run label and symbol together. */}
        {field.label}{" "}
        {field.symbol !== "" && plain(field.symbol) !== plain(field.label) && (
          <i className={classes.symbol}>
            <Typeset symbol={field.symbol} />
          </i>
        )}
      </label>
      {children({
        id,
        "aria-describedby": `${id}-about`,
        "aria-invalid": problem !== undefined,
        "data-standard": standard,
      })}
      <span
        id={`${id}-about`}
        className={problem === undefined ? "visually-hidden" : classes.error}
        data-quotes={problem?.startsWith('"') === true ? "" : undefined}
      >
        {problem ?? plainText(aboutField(field))}
      </span>
    </div>
  );
}
