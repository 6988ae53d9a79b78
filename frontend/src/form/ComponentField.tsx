import { Fields } from "@/form/Fields";
import { useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { Row } from "@/form/Row";
import { exampleOf, fresh, kindOf, type Axis } from "@/lib/component";
import type { Json } from "@/lib/path";
import type { Field } from "@/lib/schema";

type Props = {
  field: Field;
  path: string;
  value: Json | undefined;
  /** The axis, when it is not called like the field. */
  axis?: Axis | undefined;
};

/** A component: its kind is picked from the catalogue, and its parameters follow. */
export function ComponentField({ field, path, value, axis }: Props) {
  const { axes, axisNames, examples, change } = useForm();
  const own = axis ?? axes.get(field.name);
  if (own === undefined) return null;
  const name = kindOf(value ?? field.default, own);
  const kind = own.kinds.find((candidate) => candidate.kind === name);
  // Parameters of a component within a component stand back, so that it shows whose they are.
  const nested = path.split(".").length > 2;
  const pick = (chosen: string) => {
    const next = own.kinds.find((candidate) => candidate.kind === chosen);
    if (next !== undefined) change(path, fresh(next, axisNames, value, exampleOf(examples, own.axis, chosen)));
  };
  // A size distribution given by its name alone has the parameters of the kind it stands for.
  const parameters: Json | undefined = typeof value === "string" ? { kind: "empirical", name: value } : value;
  const about: Field = { ...field, description: kind === undefined ? field.description : aboutKind(kind) };
  return (
    <>
      <Row field={about} path={`${path}.kind`} standard={value === undefined}>
        {(control) => (
          <select
            {...control}
            className={classes.select}
            value={name ?? ""}
            onChange={(event) => {
              pick(event.currentTarget.value);
            }}
          >
            {kind === undefined && <option value={name ?? ""}>{name ?? "pick one"}</option>}
            {own.kinds.map((option) => (
              <option key={option.kind} value={option.kind}>
                {option.title}
              </option>
            ))}
            {own.planned.length > 0 && (
              <optgroup label="Not yet supported">
                {own.planned.map((option) => (
                  <option key={option} value={option} disabled>
                    {option.replaceAll("_", " ")}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        )}
      </Row>
      {kind !== undefined && (
        <div className={classes.parameters} data-nested={nested}>
          <Fields schema={kind.schema} root={kind.schema} path={path} value={parameters} />
        </div>
      )}
    </>
  );
}

function aboutKind(kind: Axis["kinds"][number]): string {
  return [kind.summary, kind.holds === "" ? "" : `Holds for ${kind.holds}.`, kind.departures, kind.sources.join("; ")]
    .filter((part) => part !== "")
    .join(" ");
}
