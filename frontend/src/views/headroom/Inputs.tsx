import { useMemo } from "react";

import forms from "@/api/forms.gen.json";
import { ChipPicker } from "@/features/headroom";
import { Fold } from "@/form/Fold";
import { FormArea } from "@/form/FormArea";
import { Section } from "@/form/Section";
import { formOf } from "@/lib/forms";
import { isObject, type JsonObject } from "@/lib/path";
import { namesOf } from "@/lib/schema";
import type { HeadroomBench } from "@/state/useHeadroom";
import layout from "@/ui/layout.module.css";

const schema = formOf(forms, "computeHeadroom");
const LINK = ["speed", "cable", "delay", "mtu", "cell_size"];
const MEASURED = ["watermark", "watermark_speed", "watermark_cable", "watermark_mtu"];
const NO_PROBLEMS: never[] = [];

/** Which schemes have a parameter; the API's description of the question says so. */
function ownersOf(name: string): string[] {
  const field = isObject(schema.properties) ? schema.properties[name] : undefined;
  const owners = isObject(field) ? field.schemes : undefined;
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === "string") : [];
}

const parameters = namesOf(schema).filter((name) => ownersOf(name).length > 0);
const shared = parameters.filter((name) => ownersOf(name).length > 1);

/** Link, chip, measurement and the parameters of the schemes. */
export function Inputs({ bench }: { bench: HeadroomBench }) {
  const { state, link, change, answer, asics, problem } = bench;
  const problems = problem?.errors ?? NO_PROBLEMS;
  const fields = { schema, root: forms as unknown as JsonObject, path: "", value: link };
  const titles = useMemo(() => Object.entries(answer?.schemes ?? {}).map(([name, { title }]) => ({ name, title })), [answer]);
  return (
    <section className={`${layout.column} ${layout.left}`} aria-label="Link and chip">
      <FormArea problems={problems} hint="Every field takes a unit. What a chip determines is filled in; what is written here wins." onChange={change}>
        <ChipPicker
          asics={asics ?? []}
          chosen={typeof state.asic === "string" ? state.asic : undefined}
          problem={problems.find(({ path }) => path === "asic")?.message}
          onPick={(asic) => {
            change("asic", asic, "push");
          }}
        />
        <Section {...fields} title="Link" names={LINK} initially />
        <Section {...fields} title="Measured watermark" names={MEASURED} />
        <Fold title="Parameters of the schemes" level={1}>
          <Section {...fields} title="Several schemes" names={shared} level={2} />
          {titles.map(({ name, title }) => (
            <Section key={name} {...fields} title={title} names={parameters.filter((one) => ownersOf(one).join() === name)} level={2} />
          ))}
        </Fold>
      </FormArea>
    </section>
  );
}
