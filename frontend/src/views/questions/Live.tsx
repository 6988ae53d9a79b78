import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";

import type { Question } from "@/api/questions";
import { voqQuery } from "@/api/voq";
import { LiveNumber } from "@/features/questions";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

/** By view, what can be told at a glance; the API answers each of these at once. */
const known: Record<string, ComponentType<{ values: JsonObject }>> = { voq: Voq };

export function Live({ question: { view, values } }: { question: Question }) {
  const Number = known[view];
  return Number === undefined ? null : <Number values={values as JsonObject} />;
}

function Voq({ values }: { values: JsonObject }) {
  const { data } = useQuery(voqQuery(values));
  return <LiveNumber value={data && formatQuantity(data.limit, "B")} note="limit of one queue" />;
}
