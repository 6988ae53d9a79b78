import { FormArea } from "@/form/FormArea";
import { Section } from "@/form/Section";
import type { JsonObject } from "@/lib/path";
import type { Change } from "@/answers/types";

type Group = {
  title: string;
  names: readonly string[];
  schema: JsonObject;
  path: string;
  value: JsonObject | undefined;
};

type Props = {
  root: JsonObject;
  groups: Group[];
  problems: { path: string; message: string }[];
  change: Change;
};

const HINT = "Every field takes a unit. The answer follows as you type.";

/** The few fields that matter for a question; the rest are in the full view. */
export function DocumentInputs({ root, groups, problems, change }: Props) {
  return (
    <FormArea problems={problems} hint={HINT} onChange={change}>
      {groups.map(({ title, names, schema, path, value }) => (
        <Section
          key={title}
          title={title}
          names={names}
          schema={schema}
          root={root}
          path={path}
          value={value}
          initially
        />
      ))}
    </FormArea>
  );
}
