import { useRef, type FocusEvent, type KeyboardEvent } from "react";

import { useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { Row } from "@/form/Row";
import { useDraft } from "@/form/useDraft";
import type { Json } from "@/lib/path";
import { absentWord, type Field } from "@/lib/schema";
import { readValue, showNumber, showValue, stepValue, unitOf, withoutOldUnit } from "@/lib/values";

/** About as many characters as a line of the field holds, where the browser does not measure them itself. */
const LINE = 22;

type Props = { field: Field; path: string; value: Json | undefined };

/** A quantity, a number or a text. The unit is in the field and stays when the number is typed over. */
export function ValueField({ field, path, value }: Props) {
  const { change } = useForm();
  const standard = value === undefined;
  const shown = showValue(field, standard ? field.default : value);
  // The unit that a bare number has: the one the field showed, or the one written since.
  const before = useRef(shown);
  const draft = useDraft(shown, (text) => {
    const read = readValue(field, text, unitOf(before.current));
    if ("error" in read) return read.error;
    if (unitOf(text) !== "") before.current = text;
    if (read.value !== value) change(path, read.value);
    return undefined;
  });

  const begin = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    if (unitOf(shown) !== "") before.current = shown;
    // Typing replaces the number and keeps its unit; of a percentage it replaces all, so that 0.9 can be written for
    // 90 %.
    // A text that was refused may have the wrong unit: all of it is replaced.
    const number = (field.share || draft.error !== undefined ? /^.+/ : /^[-+\d.eE]+/).exec(currentTarget.value)?.[0];
    if (number !== undefined) currentTarget.setSelectionRange(0, number.length);
  };

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) draft.leave();
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const next = stepValue(field, draft.text, event.key === "ArrowUp" ? 1 : -1, unitOf(before.current));
    if (next === undefined) return;
    event.preventDefault();
    draft.put(next);
  };

  const shared = {
    value: draft.text,
    placeholder: field.nullable ? absentWord(field) : field.required ? "needed" : "",
    autoComplete: "off",
    spellCheck: false,
    onBlur: draft.leave,
  };
  const suffix =
    field.type === "quantity" ? "" : field.unit === "1" ? "" : field.unit === "packet" ? "packets" : field.unit;
  return (
    <Row field={field} path={path} error={draft.error} standard={standard}>
      {(control) => (
        <span className={classes.box}>
          {field.type === "text" ? (
            // A list such as "32x100G@300m,…" may be longer than the field is wide: it wraps.
            <textarea
              {...control}
              {...shared}
              className={`${classes.input} ${classes.wrapped}`}
              rows={Math.max(1, Math.ceil(draft.text.length / LINE))}
              onChange={(event) => {
                draft.type(event.currentTarget.value.replaceAll(/\s*\n\s*/g, " "));
              }}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                if (!event.ctrlKey && !event.metaKey) draft.leave();
              }}
            />
          ) : (
            <input
              {...control}
              {...shared}
              className={classes.input}
              inputMode="decimal"
              title={boundsText(field)}
              onChange={(event) => {
                draft.type(withoutOldUnit(field, event.currentTarget.value, before.current));
              }}
              onFocus={begin}
              onKeyDown={onKey}
            />
          )}
          {suffix !== "" && <span className={classes.unit}>{suffix}</span>}
        </span>
      )}
    </Row>
  );
}

function boundsText(field: Field): string | undefined {
  const { bounds } = field;
  const show = (value: number) => showNumber(field, value);
  const low = bounds.ge !== undefined ? `≥ ${show(bounds.ge)}` : bounds.gt !== undefined ? `> ${show(bounds.gt)}` : "";
  const high = bounds.le !== undefined ? `≤ ${show(bounds.le)}` : bounds.lt !== undefined ? `< ${show(bounds.lt)}` : "";
  return [low, high].filter((text) => text !== "").join(", ") || undefined;
}
