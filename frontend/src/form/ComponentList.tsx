import { ComponentField } from "@/form/ComponentField";
import { useForm } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { exampleOf, fresh, type Axis } from "@/lib/component";
import { fitted } from "@/lib/fitted";
import type { Json } from "@/lib/path";
import type { Field } from "@/lib/schema";

type Props = { field: Field; axis: Axis; path: string; items: Json[] };

/** Components in a list, such as the classes of traffic; one always stays. */
export function ComponentList({ field, axis, path, items }: Props) {
  const { axisNames, examples, scenario, change } = useForm();
  const add = () => {
    const kind = axis.kinds[0];
    if (kind === undefined) return;
    const made = fresh(kind, axisNames, undefined, exampleOf(examples, axis.axis, kind.kind));
    change(path, [...items, fitted(made, `${path}.${items.length}`, scenario)]);
  };
  const remove = (index: number) => {
    change(
      path,
      items.filter((_, i) => i !== index),
    );
  };
  return (
    <>
      {items.map((item, index) => (
        <div key={index} className={classes.item}>
          <ComponentField
            field={{ ...field, name: axis.axis, label: items.length > 1 ? `Class ${index + 1}` : "Kind" }}
            axis={axis}
            path={`${path}.${index}`}
            value={item}
          />
          {items.length > 1 && (
            <button
              type="button"
              className={classes.textButton}
              onClick={() => {
                remove(index);
              }}
            >
              Remove class {index + 1}
            </button>
          )}
        </div>
      ))}
      <button type="button" className={classes.textButton} onClick={add}>
        + Add a traffic class
      </button>
    </>
  );
}
