import { ComponentField } from "@/form/ComponentField";
import { Fold } from "@/form/Fold";
import { useForm } from "@/form/FormContext";
import { BooleanField, ChoiceField, JsonField } from "@/form/PlainFields";
import { ValueField } from "@/form/ValueField";
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldsOf, profiled, type Field } from "@/lib/schema";

type Props = {
  schema: JsonObject;
  root: JsonObject;
  path: string;
  value: Json | undefined;
  /** Whose fields these are, where others that fold away stand beside them. */
  of?: string;
};

/** Every field of an object's schema; the advanced ones fold away. */
export function Fields({ schema, root, path, value, of = "" }: Props) {
  const { axisNames, errors } = useForm();
  const fields = fieldsOf(schema, root, axisNames);
  const advanced = fields.filter((field) => field.advanced);
  const shown = (field: Field) => (
    <OneField
      key={field.name}
      field={field}
      root={root}
      path={join(path, field.name)}
      value={isObject(value) ? value[field.name] : undefined}
    />
  );
  const set = advanced.filter((field) => isObject(value) && value[field.name] !== undefined).length;
  const wrong = advanced.some((field) =>
    [...errors.keys()].some((at) => at === join(path, field.name) || at.startsWith(`${join(path, field.name)}.`)),
  );
  return (
    <>
      {inOrder(fields.filter((field) => !field.advanced)).map(shown)}
      {advanced.length > 0 && (
        <Fold
          title={of === "" ? "Advanced" : `Advanced: ${of}`}
          note={set > 0 ? `${set} set` : ""}
          level={2}
          open={wrong}
        >
          {advanced.map(shown)}
        </Fold>
      )}
    </>
  );
}

/** Numbers first, then what is picked from the catalogue, then what folds; else as declared. */
function inOrder(fields: Field[]): Field[] {
  const rank = ({ type }: Field) => (type === "group" ? 2 : type === "component" ? 1 : 0);
  return fields.toSorted((a, b) => rank(a) - rank(b));
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

function OneField({
  field,
  root,
  path,
  value,
}: {
  field: Field;
  root: JsonObject;
  path: string;
  value: Json | undefined;
}) {
  const { errors } = useForm();
  switch (field.type) {
    case "component":
      return <ComponentField field={field} path={path} value={value} />;
    case "group":
      return (
        <Fold
          title={field.label}
          note={isObject(value) ? `${Object.keys(value).length} set` : ""}
          level={2}
          open={[...errors.keys()].some((at) => at.startsWith(`${path}.`))}
        >
          <Fields schema={profiled(field.schema ?? {}, value)} root={root} path={path} value={value} of={field.label} />
        </Fold>
      );
    case "choice":
      return <ChoiceField field={field} path={path} value={value} />;
    case "boolean":
      return <BooleanField field={field} path={path} value={value} />;
    case "json":
      return <JsonField field={field} path={path} value={value} />;
    default:
      return <ValueField field={field} path={path} value={value} />;
  }
}
