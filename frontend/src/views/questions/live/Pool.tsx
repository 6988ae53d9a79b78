import { useQuery } from "@tanstack/react-query";

import { nested } from "./nested";
import { asicsQuery } from "@/api/headroom";
import { poolQuery, type PoolAnswer } from "@/api/pool";
import { LiveNumber } from "@/features/questions";
import { poolOf, type SchemeParameters } from "@/lib/headroom";
import { significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

type Props = { values: JsonObject };

/** Questions set no parameters of schemes. */
const NONE: SchemeParameters = { owners: new Map(), pool: new Set() };

function usePool(values: JsonObject): PoolAnswer | undefined {
  const { data: asics } = useQuery(asicsQuery);
  const state = nested(values);
  const capacity = asics?.find(({ id }) => id === state.asic)?.capacity ?? undefined;
  return useQuery(poolQuery(asics === undefined ? undefined : poolOf(state, "vendor", capacity, NONE))).data;
}

/** The chance that a shared headroom pool is too small. */
export function Pauses({ values }: Props) {
  const found = usePool(values)?.pauses;
  const last = found?.cases[found.cases.length - 1];
  if (!found || last === undefined) return <LiveNumber value={undefined} note="" />;
  return <LiveNumber value={significant(last.exceeded, 2)} note={`chance that it is too small, ρ = ${last.correlation}`} verdict={last.exceeded > found.target ? "bad" : "good"} />;
}

export function Split({ values }: Props) {
  const split = usePool(values)?.split;
  return <LiveNumber value={split ? `${split.lossless} / ${split.lossy} / ${split.headroom}` : undefined} note="lossless, lossy, headroom" />;
}

/** What one queue may hold alone, against its fixed share. */
export function Shares({ values }: Props) {
  const lossy = usePool(values)?.shares?.find(({ queue }) => queue === "lossy");
  return <LiveNumber value={lossy?.dynamic[0] && formatQuantity(lossy.dynamic[0].bytes, "B")} note={lossy === undefined ? "" : `for one queue; fixed ${formatQuantity(lossy.fixed.bytes, "B")}`} />;
}

export function Incast({ values }: Props) {
  const incast = usePool(values)?.incast;
  return <LiveNumber value={incast ? (incast.smallest_alpha === null ? "none" : `α = ${significant(incast.smallest_alpha, 2)}`) : undefined} note="smallest that absorbs it" />;
}

/** The margin between full marking and the pause. */
export function Marking({ values }: Props) {
  const asked = usePool(values)?.marking?.cases.filter((one) => one.case === "asked");
  const last = asked?.[asked.length - 1];
  return <LiveNumber value={last && formatQuantity(Math.abs(last.margin), "B")} note={last === undefined ? "" : last.first === "marking" ? "marking is first" : "the pause is first"} verdict={last && (last.first === "marking" ? "good" : "bad")} />;
}
