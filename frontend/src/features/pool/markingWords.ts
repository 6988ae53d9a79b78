import type { Schema } from "@/contract";
import { percent } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Marking = Schema<"MarkingDocument">;

/**
 * What comes first as a queue grows. The verdict is that of Kmin, where marking begins: that is the threshold which
 * DCQCN (SIGCOMM 2015, section 4) keeps below the pause. `full`: whether Kmax, where all is marked, is below it as
 * well.
 */
export function markingFirst({ cases }: Marking) {
  const asked = cases.filter((one) => one.case === "asked");
  const [begins, last] = [asked[0], asked[asked.length - 1]];
  if (begins === undefined || last === undefined) return undefined;
  const bytes = (size: number) => formatQuantity(size, "B");
  const ramp = last.mark - begins.mark;
  const first = begins.first === "marking";
  const full = last.first === "marking";
  const reached = ramp > 0 ? Math.max(0, (last.largest - begins.mark) / ramp) : 0;
  const worst = cases.find((one) => one.case === "worst");
  const name = ramp > 0 ? "Kmin" : "the threshold";
  return {
    first,
    full,
    margin: bytes(Math.abs(begins.margin)),
    time: formatQuantity(Math.abs(begins.time), "s"),
    where: `with the queue at ${name}, ${bytes(begins.mark)}, PFC pauses at ${bytes(begins.threshold)}`,
    rest:
      ramp <= 0 || !first
        ? ""
        : full
          ? `At Kmax, ${bytes(last.mark)}, everything is marked before the pause as well.`
          : `But everything is marked only at Kmax, ${bytes(last.mark)}, after the pause: when that comes, marking ` +
            `is ${percent(reached)} of the way from Kmin to Kmax.`,
    keep:
      (first && ramp > 0
        ? `Keep Kmax below ${bytes(last.largest)} to mark everything before the pause`
        : `Marking is first up to ${bytes(last.largest)}`) +
      (worst === undefined
        ? "."
        : `. If every queue is filled from one port, marking begins before the pause only below ` +
          `${bytes(worst.largest)}.`),
  };
}
