import { useQuery } from "@tanstack/react-query";

import { presetQuery } from "@/api/queries";
import { sizeQuery } from "@/api/size";
import { LiveNumber } from "@/features/questions";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

/** By the closed form: the curves of the view take longer. */
export function Size({ values: { preset, need } }: { values: JsonObject }) {
  const { data: found } = useQuery(presetQuery(typeof preset === "string" ? preset : ""));
  const { data } = useQuery(sizeQuery(found?.scenario, typeof need === "string" ? need.split(",") : [], "theory"));
  return <LiveNumber value={typeof data?.value === "number" ? formatQuantity(data.value, "B") : undefined} note="by the closed form" />;
}
