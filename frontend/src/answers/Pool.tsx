import classes from "./answers.module.css";
import { doubtful } from "@/answers/outside";
import { headroomInputs, usePool, useStalePool } from "@/answers/headroom";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import type { PoolAnswer } from "@/api/pool";
import { Fit, Marking, markingFirst, Pauses, Sharing, Shares } from "@/features/pool";
import { percent, significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

const nothing = () => {};
const answerBy = (find: (answer: PoolAnswer) => Finding | undefined) =>
  function PoolFinding({ values, show: Show }: AnswerProps) {
    const { answer, error } = usePool(values);
    return <Show found={answer && doubtful(find(answer) ?? without(answer), answer.outside)} error={error} />;
  };

/** The finding where no shared memory is left. */
function without({ feasible, footroom }: PoolAnswer): Finding {
  const size = formatQuantity(Math.abs(footroom.bytes), "B");
  return feasible
    ? {
        value: "nothing",
        note: "asked for here",
        before: "There is",
        after: "to compare: the pool has no queue or group of the kind that this question is about.",
      }
    : {
        value: size,
        note: "more than the chip has",
        verdict: "bad",
        before: "Nothing is left to share: headroom and reserves need",
        after: "more than the chip has.",
      };
}

const partOf = (show: (answer: PoolAnswer) => React.ReactNode) =>
  function PoolPart({ values }: PartProps) {
    const { answer } = usePool(values);
    return answer === undefined ? null : <div className={classes.part}>{show(answer)}</div>;
  };

/** Memory and ways out; the schemes are compared in the full view. */
const Memory = partOf((answer) => (
  <Fit answer={{ ...answer, schemes: null }} titles={{}} scheme="vendor" onScheme={nothing} onFit={nothing} />
));
const Whole = { title: "Does it fit the chip?", Part: Memory };

const sizeOf = (answer: PoolAnswer) => formatQuantity(answer.memory.buffer, "B");

export function fitting(answer: PoolAnswer): Finding {
  const { feasible, pools } = answer;
  // Pools as given, with their headroom, may ask for more than the ports need.
  const asked = !feasible && pools !== null && !pools.feasible ? pools : undefined;
  const left = asked?.free_bytes ?? answer.footroom.bytes;
  const needed = asked?.bytes ?? answer.committed.bytes;
  if (!feasible && left >= 0)
    return { value: "No", note: "it does not fit", verdict: "bad", before: "", after: `: ${answer.reason}.` };
  return {
    value: formatQuantity(Math.abs(left), "B"),
    note: feasible ? "left to share" : "more than the chip has",
    verdict: feasible ? "good" : "bad",
    before: feasible ? `Yes, with` : `No,`,
    after:
      `${feasible ? "left to share" : "too much"}: ${formatQuantity(needed, "B")} of ` +
      `${sizeOf(answer)} are needed, ${percent(needed / answer.memory.buffer)}.`,
  };
}

export const fits: Kind = {
  useStale: useStalePool,
  Answer: answerBy(fitting),
  title: "Memory of the chip",
  Evidence: Memory,
  Inputs: headroomInputs({ link: [], pool: ["buffer", "pools", "ports"] }),
};

export function overflow({ pauses }: PoolAnswer): Finding | undefined {
  const last = pauses?.cases[pauses.cases.length - 1];
  if (!pauses || last === undefined) return undefined;
  const first = pauses.cases[0];
  const bad = last.exceeded > pauses.target;
  if (last.smallest.bytes === 0)
    return {
      value: "any ratio",
      note: "no pool is needed",
      verdict: "good",
      before: "At",
      after: "the pool holds: at this probability no priority group pauses.",
    };
  const kind = last.correlation === 0 ? "independent pauses" : `pauses correlated by ρ = ${last.correlation}`;
  const safe = last.smallest.ratio;
  const alone = first === last ? null : (first?.smallest.ratio ?? null);
  const independent = alone === null ? "" : `, ${significant(alone, 3)}:1 if they are independent`;
  const asked =
    pauses.ratio === null
      ? ""
      : `At your ${significant(pauses.ratio, 3)}:1 ` +
        `the pool overflows with a probability of ${percent(last.exceeded)}.`;
  return {
    value: safe === null ? "1:1" : `${significant(safe, 3)}:1`,
    note: `safe for ${last.correlation === 0 ? kind : `correlated pauses, ρ = ${last.correlation}`}`,
    verdict: bad ? "bad" : "good",
    before: "Up to",
    after: `with ${kind}${independent}, ` + `for an overflow probability of ${significant(pauses.target, 2)}. ${asked}`,
  };
}

export const oversubscription: Kind = {
  useStale: useStalePool,
  Answer: answerBy(overflow),
  title: "Overflow of the shared headroom pool",
  Evidence: partOf(({ pauses }) => pauses && <Pauses pauses={pauses} />),
  Inputs: headroomInputs({ link: ["speed", "cable"], pool: ["ports", "over_subscribe_ratio"], groups: ["pauses"] }),
  more: [Whole],
};

export const split: Kind = {
  useStale: useStalePool,
  Answer: answerBy((answer) => {
    if (!answer.split) return undefined;
    const { lossless, lossy, headroom, of } = answer.split;
    return {
      value: `${lossless} / ${lossy} / ${headroom} %`,
      note: "lossless / lossy / headroom",
      before: "Set",
      after:
        `for lossless, lossy and headroom: whole percentages of ${formatQuantity(of, "B")} that add up ` +
        `to ${lossless + lossy + headroom}. Headroom and reserves take ` +
        `${formatQuantity(answer.committed.bytes, "B")}; the rest is shared.`,
    };
  }),
  title: "What the percentages come from",
  Evidence: Memory,
  Inputs: headroomInputs({
    link: ["speed", "cable"],
    pool: ["ports", "lossless_share", "alpha_lossless", "alpha_lossy"],
  }),
  more: [{ title: "Limit of one queue", Part: partOf((answer) => <Sharing answer={answer} />) }],
};

export const dynamicOrStatic: Kind = {
  useStale: useStalePool,
  Answer: answerBy(({ shares }) => {
    const lossy = shares?.find(({ queue }) => queue === "lossy") ?? shares?.[0];
    const alone = lossy?.dynamic[0];
    if (lossy === undefined || alone === undefined) return undefined;
    const { fixed, even_at: even, queues } = lossy;
    const ratio = alone.bytes / fixed.bytes;
    const compared =
      even === queues
        ? `, and no less than it even with all ${queues} queues congested`
        : even === 0
          ? ""
          : `, and more than it while at most ${even} of ${queues} queues are congested`;
    return {
      value: `${significant(Math.max(ratio, 1 / ratio), 3)} times`,
      note: ratio >= 1 ? "a fixed share, for one queue alone" : "less than a fixed share",
      before:
        ratio >= 1 ? "Dynamic: one congested queue may hold" : "Fixed: a dynamic threshold gives one congested queue",
      after:
        `${ratio >= 1 ? "its fixed share" : "less than its fixed share"} ` +
        `(${formatQuantity(alone.bytes, "B")} against ` +
        `${formatQuantity(fixed.bytes, "B")})${compared}. A fixed share isolates: no neighbour can take from it.`,
    };
  }),
  title: "Dynamic threshold beside fixed share",
  Evidence: partOf(({ shares }) => shares && <Shares kinds={shares} />),
  Inputs: headroomInputs({
    link: ["speed", "cable"],
    pool: ["ports", "classes", "alpha_lossy", "alpha_lossless", "burst_rate"],
  }),
  more: [Whole],
};

export const ecnFirst: Kind = {
  useStale: useStalePool,
  Answer: answerBy(({ marking }) => {
    const found = marking ? markingFirst(marking) : undefined;
    if (found === undefined) return undefined;
    const { first, full, margin, where, rest, keep } = found;
    return {
      value: margin,
      note: first ? "from the first marks to the pause" : "from the pause to the first marks",
      verdict: !first ? "bad" : full ? "good" : undefined,
      before: first ? "Yes: marking begins" : "No: marking begins",
      after: `${first ? "before" : "after"} PFC pauses: ${[`${where}.`, rest, keep].filter(Boolean).join(" ")}`,
    };
  }),
  title: "Thresholds and the pause",
  Evidence: partOf(({ marking }) => marking && <Marking marking={marking} />),
  Inputs: headroomInputs({
    link: ["speed", "cable"],
    pool: ["ports", "alpha_lossless", "over_subscribe_ratio"],
    groups: ["marking"],
  }),
  more: [Whole],
};
