import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import classes from "./start.module.css";
import { estimatesQuery, presetQuery } from "@/api/queries";
import { readDerived } from "@/lib/derived";
import { shortLabel } from "@/lib/labels";
import { series } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { rulesOf } from "@/lib/rules";
import { BUFFER } from "@/lib/sweep";
import { FIRST_PRESET } from "@/lib/view";
import { pathOf } from "@/lib/views";
import { CurvePlot } from "@/plot/CurvePlot";

const OVER = "25kB:2.5MB";

/** The scenario that the buffer view begins with, computed now: utilisation against buffer size. */
export function Picture() {
  const { data: preset } = useQuery(presetQuery(FIRST_PRESET));
  const scenario = preset?.scenario;
  const over = (points: number) => ({ [BUFFER]: `${OVER}:log${points}` });
  const { data: theory, isPending: first } = useQuery(
    estimatesQuery(scenario === undefined ? undefined : { scenario, over: over(41), engines: ["theory"] }),
  );
  const { data: fluid, isPending: second } = useQuery(
    estimatesQuery(scenario === undefined ? undefined : { scenario, over: over(9), engines: ["fluid"] }),
  );
  const { data: here } = useQuery(
    estimatesQuery(scenario === undefined ? undefined : { scenario, engines: ["theory"] }),
  );
  const points = [...(theory?.points ?? []), ...(fluid?.points ?? [])];
  const curves = [
    ["theory", "closed form"],
    ["fluid", "fluid model"],
  ].map(([engine = "", name = ""]) => ({ engine, name, samples: series(points, engine, "utilisation") }));
  const rules = rulesOf(
    (here?.points ?? []).map(({ result }) => result),
    { utilisation: 1 },
  ).filter(({ explanation: { name } }) => name.startsWith("bdp"));
  const { flows, capacity, rtt } = readDerived(here?.derived);
  const about =
    flows === undefined || capacity === undefined || rtt === undefined
      ? ""
      : `${flows} long flows over ${formatQuantity(capacity, "bit/s", 1)} and ${formatQuantity(rtt, "s", 2)}`;
  return (
    <section className={classes.picture} aria-label="Utilisation against buffer size">
      <h2>
        <Link to={pathOf("buffer")} search={{ query: "" }}>
          Utilisation against buffer size
        </Link>
        <span>{about}</span>
      </h2>
      <CurvePlot
        summary={`Utilisation against buffer size, ${about}, by closed form and fluid model.`}
        x={{ title: "Buffer", unit: "B", log: true }}
        y={{ title: "Utilisation", unit: "1", share: true }}
        curves={curves.filter(({ samples }) => samples.length > 0)}
        marks={rules.map(({ explanation: { name, title, value } }) => ({ label: shortLabel(name, title), x: value }))}
        height={196}
        waiting={first || second}
      />
    </section>
  );
}
