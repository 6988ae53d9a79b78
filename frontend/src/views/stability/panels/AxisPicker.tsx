import classes from "./map.module.css";
import { useTyped } from "@/form/useTyped";
import { around, formatAxis, readEnd, type MapAxis, type MapField } from "@/views/stability/lib/mapAxes";
import { fieldText } from "@/lib/quantity";

type Props = {
  /** "x axis" or "y axis". */
  title: string;
  axis: MapAxis;
  fields: MapField[];
  /** The other axis' field, which cannot be picked again. */
  other: string;
  onChange: (axis: string) => void;
};

/** Which field an axis of the map looks across, and from where to where. */
export function AxisPicker({ title, axis, fields, other, onChange }: Props) {
  const groups = [...new Set(fields.map(({ group }) => group))];
  return (
    <div className={classes.axis} role="group" aria-label={`${title}: ${axis.field.label}`}>
      <label>
        <span>{title}</span>
        <select
          value={axis.field.path}
          onChange={({ currentTarget }) => {
            const field = fields.find(({ path }) => path === currentTarget.value);
            if (field !== undefined) onChange(formatAxis(around(field, fields)));
          }}
        >
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {fields
                .filter((field) => field.group === group)
                .map(({ path, label }) => (
                  <option key={path} value={path} disabled={path === other}>
                    {label}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <End
        key={`${axis.field.path}-low-${axis.low}`}
        name={`${axis.field.label} from`}
        axis={axis}
        value={axis.low}
        onChange={(low) => {
          onChange(formatAxis({ ...axis, low }));
        }}
        valid={(low) => low < axis.high}
      />
      <span aria-hidden="true">to</span>
      <End
        key={`${axis.field.path}-high-${axis.high}`}
        name={`${axis.field.label} to`}
        axis={axis}
        value={axis.high}
        onChange={(high) => {
          onChange(formatAxis({ ...axis, high }));
        }}
        valid={(high) => high > axis.low}
      />
    </div>
  );
}

type EndProps = {
  name: string;
  axis: MapAxis;
  value: number;
  onChange: (value: number) => void;
  valid: (value: number) => boolean;
};

/** One end of the range; it takes effect on leaving the field or on Enter. */
function End({ name, axis, value, onChange, valid }: EndProps) {
  const { input, error } = useTyped({
    label: name,
    shown: fieldText(value, axis.field.unit),
    onChange,
    read: (text) => {
      const read = readEnd(text, axis.field);
      if (typeof read !== "number") return read;
      return valid(read) ? { value: read } : { error: "the second value must be the larger one" };
    },
  });
  return <input className={classes.end} aria-label={name} title={error} {...input} />;
}
