import { useMemo } from "react";

import { ChipPicker } from "@/features/headroom";
import { Fold } from "@/form/Fold";
import { FormArea } from "@/form/FormArea";
import { Section } from "@/form/Section";
import { getPath, type JsonObject } from "@/lib/path";
import { fieldsOf, namesOf, withDefaults } from "@/lib/schema";
import { formRoot, linkSchema, poolSchema, schemeParameters } from "@/state/headroomForms";
import type { HeadroomBench } from "@/views/headroom/state/useHeadroom";
import layout from "@/ui/layout.module.css";

const LINK = ["speed", "cable", "delay", "mtu", "cell_size"];
const MEASURED = ["configured", "watermark", "watermark_speed", "watermark_cable", "watermark_mtu"];
const PORTS = [
  "ports",
  "lossless_classes",
  "classes",
  "headroom",
  "over_subscribe_ratio",
  "headroom_pool",
  "reserved_pg",
  "reserved_queue",
];
const SHARING = [
  "alpha_lossless",
  "alpha_lossy",
  "congested_lossless",
  "congested_lossy",
  "egress_lossy_pool",
  "burst_rate",
  "lossless_share",
];
/** Said by the link, by a picker, or by a section of its own. */
const ELSEWHERE = new Set(["asic", "buffer", "cell_size", "cable", "mtu", "scheme", "compared"]);

const parameters = [...schemeParameters.owners.keys()];
const ownersOf = (name: string) => schemeParameters.owners.get(name) ?? [];
const several = parameters.filter((name) => ownersOf(name).length > 1);
const placed = new Set([...LINK, ...MEASURED, ...parameters, "asic", "scheme"]);
/** What the API takes beyond what is placed here. */
const more = namesOf(linkSchema).filter((name) => !placed.has(name));
const groups = fieldsOf(poolSchema, formRoot, new Set()).filter(({ type }) => type === "group");
const pooled = new Set([...PORTS, ...SHARING, ...ELSEWHERE, ...groups.map(({ name }) => name)]);
const otherPooled = namesOf(poolSchema).filter((name) => !pooled.has(name));

/** Link, chip, measurement, the parameters of the schemes, and the pool. */
export function Inputs({ bench }: { bench: HeadroomBench }) {
  const { state, link, change, answer, asics, problems } = bench;
  const schema = useMemo(() => withDefaults(linkSchema, filledIn(answer)), [answer]);
  const fields = { schema, root: formRoot, path: "", value: link };
  const ports = bench.pooled?.ports ?? "";
  const poolFields = useMemo(() => withDefaults(poolSchema, { ports, pools: "" }), [ports]);
  const pool = { schema: poolFields, root: formRoot, path: "pool", value: state.pool };
  return (
    <section className={`${layout.column} ${layout.left}`} aria-label="Link, chip and pool">
      <FormArea
        problems={problems}
        hint="Every field takes a unit. The chip fills in its values; what you enter overrides them."
        onChange={change}
      >
        <ChipPicker
          asics={asics ?? []}
          chosen={typeof state.asic === "string" ? state.asic : undefined}
          problem={problems.find(({ path }) => path === "asic")?.message}
          onPick={(asic) => {
            change("asic", asic, "push");
          }}
        />
        <Section {...fields} title="Link" names={LINK} initially />
        <Section {...fields} title="Configured and measured" names={[...MEASURED, ...more]} />
        <Fold title="Parameters of the schemes" level={1}>
          <Section {...fields} title="Several schemes" names={several} level={2} />
          {Object.entries(answer?.schemes ?? {}).map(([name, { title }]) => (
            <Section
              key={name}
              {...fields}
              title={title}
              names={parameters.filter((one) => ownersOf(one).join() === name)}
              level={2}
            />
          ))}
        </Fold>
        <Section {...pool} title="Ports and pool" names={PORTS} initially />
        <Section {...pool} title="Sharing the footroom" names={SHARING} />
        {groups.map(({ name, label, schema: own }) => (
          <Section
            key={name}
            title={label}
            names={namesOf(own ?? {})}
            schema={own ?? {}}
            root={formRoot}
            path={`pool.${name}`}
            value={getPath(state, `pool.${name}`)}
          />
        ))}
        <Section {...pool} title="Pools as configured" names={otherPooled} />
      </FormArea>
    </section>
  );
}

/** What the chip determined, shown where nothing was written. */
function filledIn(answer: HeadroomBench["answer"]): JsonObject {
  if (answer === undefined) return {};
  const known = Object.values(answer.schemes).flatMap(({ parameters: used }) =>
    used.filter(({ from }) => from === "chip"),
  );
  return { ...Object.fromEntries(known.map(({ name, value }) => [name, value])), cell_size: answer.inputs.cell_size };
}
