import { useQuery } from "@tanstack/react-query";

import { nested } from "./nested";
import { emulateQuery } from "@/api/emulate";
import { LiveNumber } from "@/features/questions";
import { questionOf } from "@/lib/emulation";
import { significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

/** The smallest alpha under which an incast loses nothing; without an alpha, how many policies lose nothing. */
export function Alpha({ values }: { values: JsonObject }) {
  const answer = useQuery(emulateQuery(questionOf(nested(values), undefined))).data;
  if (answer === undefined) return <LiveNumber value={undefined} note="" />;
  const { smallest_alpha: alpha, policies } = answer;
  // One sender meets nobody: what counts is what of its burst has to wait.
  if (answer.arrivals.flows === 1 && typeof alpha?.queue === "number") return <LiveNumber value={formatQuantity(alpha.queue, "B")} note="of the burst wait" />;
  if (alpha === null) return <LiveNumber value={`${policies.filter(({ lossless }) => lossless).length} of ${policies.length}`} note="policies lose nothing" />;
  return <LiveNumber value={alpha.emulated === null ? "none" : `α = ${significant(alpha.emulated, 2)}`} note="smallest that loses nothing" />;
}
