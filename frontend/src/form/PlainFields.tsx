import { useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { Row } from "@/form/Row";
import { useDraft } from "@/form/useDraft";
import type { Json } from "@/lib/path";
import { absentWord, choiceLabel, type Field } from "@/lib/schema";

type Props = { field: Field; path: string; value: Json | undefined };

export function ChoiceField({ field, path, value }: Props) {
  const { change } = useForm();
  const chosen = value ?? field.default;
  return (
    <Row field={field} path={path} standard={value === undefined}>
      {(control) => (
        <select
          {...control}
          className={classes.select}
          value={typeof chosen === "string" ? chosen : ""}
          onChange={({ currentTarget }) => {
            change(path, currentTarget.value === "" ? undefined : currentTarget.value);
          }}
        >
          {field.nullable && <option value="">{absentWord(field)}</option>}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {choiceLabel(option)}
            </option>
          ))}
        </select>
      )}
    </Row>
  );
}

export function BooleanField({ field, path, value }: Props) {
  const { change } = useForm();
  if (field.nullable) return <YesOrNo field={field} path={path} value={value} />;
  return (
    <Row field={field} path={path} standard={value === undefined}>
      {(control) => (
        <input
          {...control}
          type="checkbox"
          className={classes.checkbox}
          checked={(value ?? field.default) === true}
          onChange={(event) => {
            change(path, event.currentTarget.checked);
          }}
        />
      )}
    </Row>
  );
}

/** A truth value that may be left to the models. */
function YesOrNo({ field, path, value }: Props) {
  const { change } = useForm();
  return (
    <Row field={field} path={path} standard={value === undefined}>
      {(control) => (
        <select
          {...control}
          className={classes.select}
          value={typeof value === "boolean" ? String(value) : ""}
          onChange={({ currentTarget }) => {
            change(path, currentTarget.value === "" ? undefined : currentTarget.value === "true");
          }}
        >
          <option value="">{absentWord(field)}</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      )}
    </Row>
  );
}

/** Lists and free-form objects, as JSON. */
export function JsonField({ field, path, value }: Props) {
  const { change } = useForm();
  const standard = value === undefined;
  const draft = useDraft(standard ? "" : JSON.stringify(value, null, 1), (text) => {
    if (text.trim() === "") {
      change(path, undefined);
      return field.required ? `enter the ${field.label}` : undefined;
    }
    try {
      change(path, JSON.parse(text) as Json);
      return undefined;
    } catch {
      return "enter valid JSON, such as [1, 2]";
    }
  });
  return (
    <Row field={field} path={path} error={draft.error} standard={standard}>
      {(control) => (
        <textarea
          {...control}
          className={classes.json}
          rows={3}
          value={draft.text}
          spellCheck={false}
          placeholder={field.nullable ? absentWord(field) : "JSON"}
          onChange={(event) => {
            draft.type(event.currentTarget.value);
          }}
          onBlur={draft.leave}
        />
      )}
    </Row>
  );
}
