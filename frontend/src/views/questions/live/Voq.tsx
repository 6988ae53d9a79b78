import { useQuery } from "@tanstack/react-query";

import { voqQuery } from "@/api/voq";
import { LiveNumber } from "@/features/questions";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

export function Voq({ values }: { values: JsonObject }) {
  const { data } = useQuery(voqQuery(values));
  return <LiveNumber value={data && formatQuantity(data.limit, "B")} note="limit of one queue" />;
}
