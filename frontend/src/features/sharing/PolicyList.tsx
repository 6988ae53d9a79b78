import classes from "./sharing.module.css";
import { ComponentField } from "@/form/ComponentField";
import { Fold } from "@/form/Fold";
import { useForm } from "@/form/FormContext";
import { fresh, type Axis } from "@/lib/component";
import { policyTitle } from "@/lib/emulation";
import type { Json, JsonObject } from "@/lib/path";
import type { Field } from "@/lib/schema";

type Props = { policies: readonly JsonObject[]; axis: Axis; onList: (policies: Json[]) => void };

/** The API compares so many at most. */
const MOST = 16;

const field: Field = {
  name: "sharing",
  label: "Kind",
  type: "component",
  description: "",
  unit: "",
  symbol: "",
  share: false,
  source: "",
  advanced: false,
  required: true,
  nullable: false,
  default: undefined,
  options: [],
  words: [],
  bounds: {},
  axis: "sharing",
  list: false,
  packets: false,
};

/** The policies compared, one line each; a line unfolds to its parameters. The same kind may be there twice. */
export function PolicyList({ policies, axis, onList }: Props) {
  const { axisNames, errors } = useForm();
  return (
    <Fold title="Policies compared" level={1} initially note={String(policies.length)}>
      {policies.map((policy, i) => (
        <Fold
          key={i}
          title={policyTitle(policy, axis)}
          level={2}
          open={[...errors.keys()].some((path) => path === `policies.${i}` || path.startsWith(`policies.${i}.`))}
          action={
            policies.length > 1 && (
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove ${policyTitle(policy, axis)}`}
                title="Remove"
                onClick={() => {
                  onList(policies.filter((_, other) => other !== i));
                }}
              >
                ✕
              </button>
            )
          }
        >
          <ComponentField field={field} axis={axis} path={`policies.${i}`} value={policy} />
        </Fold>
      ))}
      {policies.length < MOST && (
        <select
          className={classes.add}
          aria-label="Add a policy"
          value=""
          onChange={({ currentTarget }) => {
            const kind = axis.kinds.find((one) => one.kind === currentTarget.value);
            if (kind !== undefined) onList([...policies, fresh(kind, axisNames, undefined)]);
          }}
        >
          <option value="">+ Add a policy</option>
          {axis.kinds.map(({ kind, title }) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Fold>
  );
}
