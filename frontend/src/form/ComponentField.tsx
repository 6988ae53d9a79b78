import { Fields } from "@/form/Fields";
import { useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { Row } from "@/form/Row";
import { asComponent, exampleOf, fresh, kindOf, type Axis } from "@/lib/component";
import { barred, fitted, withCongestion } from "@/lib/fitted";
import { getPath, isObject, type Json } from "@/lib/path";
import { choiceLabel, type Field } from "@/lib/schema";

type Props = {
  field: Field;
  path: string;
  value: Json | undefined;
  /** The axis, when it is not called like the field. */
  axis?: Axis | undefined;
};

const words = (list: Json) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);

/** A component: its kind is picked from the catalogue, and its parameters follow. */
export function ComponentField({ field, path, value, axis }: Props) {
  const { axes, axisNames, examples, scenario, change } = useForm();
  const own = axis ?? axes.get(field.axis);
  if (own === undefined) return null;
  const given = value ?? field.default;
  // A required part that is missing has no kind yet: a menu that showed the first kind could not be used to pick it.
  const name = given === undefined && field.required ? undefined : kindOf(given, own);
  const kind = own.kinds.find((candidate) => candidate.kind === name);
  // Parameters of a component within a component are indented, to show whose they are.
  const nested = path.split(".").length > 2;
  const pick = (chosen: string) => {
    const next = own.kinds.find((candidate) => candidate.kind === chosen);
    if (next === undefined) return;
    const { recoveries } = next.schema;
    const entry = getPath(scenario, path.replace(/\.congestion$/, ""));
    if (own.axis === "congestion" && isObject(entry) && Array.isArray(recoveries)) {
      const made = fresh(next, axisNames, value, exampleOf(examples, own.axis, chosen));
      const before = own.kinds.find((one) => one.kind === kindOf(value, own))?.schema.recoveries;
      change(
        path.replace(/\.congestion$/, ""),
        withCongestion(entry, made, words(before ?? recoveries), words(recoveries)),
      );
    } else change(path, fitted(fresh(next, axisNames, value, exampleOf(examples, own.axis, chosen)), path, scenario));
  };
  // Flow sizes given by a name or a size alone have the parameters of the kind that these mean.
  const parameters = asComponent(value);
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
            {kind === undefined && <option value={name ?? ""}>{name ?? "choose"}</option>}
            {own.kinds.map((option) => {
              const why = barred(own.axis, option.kind, scenario);
              return (
                <option key={option.kind} value={option.kind} disabled={why !== undefined}>
                  {why === undefined ? option.title : `${option.title} (${why})`}
                </option>
              );
            })}
            {own.planned.length > 0 && (
              <optgroup label="Not yet supported">
                {own.planned.map((option) => (
                  <option key={option} value={option} disabled>
                    {choiceLabel(option)}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        )}
      </Row>
      {kind !== undefined && (
        <div className={classes.parameters} data-nested={nested}>
          <Fields schema={kind.schema} root={kind.schema} path={path} value={parameters} of={kind.title} />
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
