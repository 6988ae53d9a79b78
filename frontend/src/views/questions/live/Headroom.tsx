import { useQuery } from "@tanstack/react-query";

import { nested } from "./nested";
import { headroomQuery, type HeadroomAnswer } from "@/api/headroom";
import { LiveNumber } from "@/features/questions";
import { linkOf } from "@/lib/headroom";
import type { JsonObject } from "@/lib/path";
import { formatQuantity, splitQuantity } from "@/lib/quantity";

const schemeOf = ({ "page.scheme": scheme }: JsonObject): string => (typeof scheme === "string" ? scheme : "");

/** What the schemes span. */
export function Headroom({ values }: { values: JsonObject }) {
  const { data } = useQuery(headroomQuery(linkOf(nested(values))));
  return <LiveNumber value={data && span(data)} note={data === undefined ? "" : `by ${Object.keys(data.schemes).length} schemes`} />;
}

function span({ range: { lowest, highest } }: HeadroomAnswer): string {
  const [low, high] = [lowest, highest].map(({ headroom }) => splitQuantity(headroom, "B"));
  if (low === undefined || high === undefined) return "";
  return low.unit === high.unit ? `${low.number}–${high.number} ${high.unit}` : `${low.number} ${low.unit}–${high.number} ${high.unit}`;
}

/** One scheme alone. */
export function OneScheme({ values }: { values: JsonObject }) {
  const { data } = useQuery(headroomQuery(linkOf(nested(values))));
  const scheme = data?.schemes[schemeOf(values)];
  return <LiveNumber value={scheme && formatQuantity(scheme.headroom, "B")} note={scheme === undefined ? "" : `in ${scheme.lines.length} lines`} />;
}

/** How much slower the peer may be than assumed. */
export function Slack({ values }: { values: JsonObject }) {
  const { data } = useQuery(headroomQuery(linkOf(nested(values))));
  const slack = data?.configured?.schemes[schemeOf(values)]?.slack;
  const known = typeof slack === "number";
  return <LiveNumber value={known ? formatQuantity(Math.abs(slack), "s") : undefined} note={known && slack < 0 ? "too slow already" : "slower is covered"} verdict={known ? (slack < 0 ? "bad" : "good") : undefined} />;
}
