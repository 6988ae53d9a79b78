import { ComponentField } from "@/form/ComponentField";
import { ComponentList } from "@/form/ComponentList";
import { Fields } from "@/form/Fields";
import { Fold } from "@/form/Fold";
import { useForm } from "@/form/FormContext";
import { isObject, type JsonObject } from "@/lib/path";
import { fieldsOf, type Field } from "@/lib/schema";

type Props = { schema: JsonObject; value: JsonObject; folded: ReadonlySet<string> };

/** The whole document: one section per top-level object or list of the schema; plain fields come first. */
export function SchemaForm({ schema, value, folded }: Props) {
  const { axisNames } = useForm();
  const fields = fieldsOf(schema, schema, axisNames);
  return fields.map((field) => (
    <Section key={field.name} field={field} root={schema} value={value} initially={!folded.has(field.name)} />
  ));
}

function Section({
  field,
  root,
  value,
  initially,
}: {
  field: Field;
  root: JsonObject;
  value: JsonObject;
  initially: boolean;
}) {
  const { axes, errors } = useForm();
  const axis = axes.get(field.name);
  const own = value[field.name];
  const inside = [...errors.keys()].some((at) => at.startsWith(`${field.name}.`));
  const fold = { title: field.label, level: 1 as const, open: inside, initially };
  if (axis !== undefined && Array.isArray(own)) {
    return (
      <Fold {...fold} note={own.length > 1 ? `${own.length} classes` : ""}>
        <ComponentList field={field} axis={axis} path={field.name} items={own} />
      </Fold>
    );
  }
  if (axis !== undefined) {
    return (
      <Fold {...fold}>
        <ComponentField field={{ ...field, label: "Kind" }} axis={axis} path={field.name} value={own} />
      </Fold>
    );
  }
  if (field.type === "group") {
    return (
      <Fold {...fold}>
        <Fields
          schema={field.schema ?? {}}
          root={root}
          path={field.name}
          value={isObject(own) ? own : undefined}
          of={field.label}
        />
      </Fold>
    );
  }
  return null;
}
