import { useState } from "react";

import { doubtful } from "@/answers/outside";
import { headroomInputs, schemeOf, useLink, usePool, useStaleLink } from "@/answers/headroom";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import type { HeadroomAnswer, SchemeAnswer } from "@/api/headroom";
import type { PoolAnswer } from "@/api/pool";
import { SchemeBars, SchemeTable, ShippedPanel, type Pointed } from "@/features/headroom";
import { bracket } from "@/lib/answerWords";
import { holding, outsideWords } from "@/lib/headroom";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

const nothing = () => {};

const linkWords = ({ inputs: { speed, cable } }: HeadroomAnswer) =>
  `${formatQuantity(speed, "bit/s")} over ${formatQuantity(cable, "m")}`;
const titleOfScheme = ({ schemes }: HeadroomAnswer, name: string) => schemes[name]?.title ?? name;

function span({ range: { lowest, highest } }: HeadroomAnswer): string {
  const { number, unit } = bracket(lowest.headroom, highest.headroom);
  return lowest.headroom === highest.headroom ? formatQuantity(lowest.headroom, "B") : `${number} ${unit}`;
}

/** pool: the whole chip by the vendor's rule, where there is a chip. A rule that does not fit it is not advised. */
export function range(answer: HeadroomAnswer, pool?: Pick<PoolAnswer, "feasible" | "footroom">): Finding {
  const {
    schemes,
    range: { lowest, highest },
  } = answer;
  const own = schemes.vendor;
  const inside = holding(schemes);
  const advised = own?.outside === "" ? own : undefined;
  const fits = pool?.feasible !== false;
  const excess =
    own === undefined || fits
      ? ""
      : `The vendor's rule, ${exactBytes(own.headroom)}, does not fit this chip: with it all ports together need ` +
        `${formatQuantity(Math.abs(pool.footroom.bytes), "B")} more than its memory. `;
  const found = {
    value: span(answer),
    note: `by ${Object.keys(schemes).length} schemes`,
    before: `${excess}${linkWords(answer)} needs`,
    after:
      `per priority group: ${titleOfScheme(answer, lowest.scheme)} asks for the least, ` +
      `${titleOfScheme(answer, highest.scheme)} for the most. ` +
      (excess !== ""
        ? "Share the headroom in a pool, shorten the cables or name fewer lossless classes."
        : advised === undefined
          ? ""
          : `For this chip, take the vendor's rule: ${exactBytes(advised.headroom)}.`) +
      (inside.length === 0 ? "" : outsideWords(schemes)),
  };
  // Where no scheme holds, all of the range is doubtful, for the reason of the first that says one.
  return inside.length === 0 ? doubtful(found, own?.outside ?? Object.values(schemes)[0]?.outside ?? "") : found;
}

/** Every scheme's number as a bar of its lines. */
function Bars({ values, change }: PartProps) {
  const { answer } = useLink(values);
  const [pointed, setPointed] = useState<Pointed>();
  if (answer === undefined) return null;
  return (
    <SchemeBars
      answer={answer}
      chosen={schemeOf(values)}
      pointed={pointed}
      onPoint={setPointed}
      onChoose={(scheme) => {
        change("page.scheme", scheme);
      }}
      onShipped={nothing}
    />
  );
}

function Lines({ values }: PartProps) {
  const { answer } = useLink(values);
  const [pointed, setPointed] = useState<Pointed>();
  const name = schemeOf(values);
  const scheme = answer?.schemes[name];
  if (answer === undefined || scheme === undefined) return null;
  return <SchemeTable answer={answer} name={name} scheme={scheme} pointed={pointed} onPoint={setPointed} />;
}

function Shipped({ values }: PartProps) {
  const { answer } = useLink(values);
  return answer === undefined ? null : <ShippedPanel answer={answer} />;
}

function Span({ values, show: Show }: AnswerProps) {
  const { answer, error } = useLink(values);
  const { answer: pool, question, error: unknown } = usePool(values);
  // Advice that the next moment takes back is worse than a moment's wait.
  const waits = answer?.schemes.vendor !== undefined && question !== undefined && pool === undefined && !unknown;
  return <Show found={answer && !waits ? range(answer, unknown ? undefined : pool) : undefined} error={error} />;
}

export const headroomRange: Kind = {
  Answer: Span,
  useStale: (values) => {
    const link = useLink(values);
    const pool = usePool(values);
    // A pool that is refused has no part in the answer.
    return link.stale || (pool.stale && pool.error === null);
  },
  title: "Headroom by each scheme",
  Evidence: Bars,
  Inputs: headroomInputs({ link: ["speed", "cable", "mtu", "cell_size"] }),
  more: [
    { title: "The lines of one scheme, with formula and source", Part: Lines },
    { title: "Shipped tables", Part: Shipped },
  ],
};

/** The first shipped table whose value is interpolated between two rows. */
function interpolated({ shipped }: HeadroomAnswer) {
  const tables = shipped?.tables ?? [];
  const joined = tables.filter(({ law }) => law !== null && !law.note);
  return joined.find(({ law }) => law?.extrapolated === false) ?? joined[0];
}

function between(answer: HeadroomAnswer): Finding {
  const table = interpolated(answer);
  const law = table?.law;
  const own = answer.schemes.vendor;
  const exact = answer.shipped?.tables.find((one) => one.exact !== null);
  if (exact?.exact)
    return {
      value: formatQuantity(exact.exact.xoff, "B"),
      note: "as shipped for this length",
      before: "The shipped table has this length:",
      after: `for ${linkWords(answer)} (${exact.sku}).`,
    };
  if (table === undefined || !law) {
    return {
      value: own === undefined ? "no row" : formatQuantity(own.headroom, "B"),
      note: "by the vendor's rule",
      before: `No shipped table covers ${linkWords(answer)}; the vendor's rule gives`,
      after: ".",
    };
  }
  const rows = law.between.map((cable) => formatQuantity(cable, "m")).join(" and ");
  return {
    value: formatQuantity(law.xoff, "B"),
    note: `${law.extrapolated ? "beyond" : "between"} the rows of ${rows}`,
    before: `${law.extrapolated ? "Extrapolate" : "Interpolate"}: ${linkWords(answer)} needs`,
    after:
      `on the line through the shipped rows of ${rows} (${Math.round(law.slope)} B per metre). The ` +
      `vendor's rule gives ${own === undefined ? "–" : formatQuantity(own.headroom, "B")}. ` +
      "Never use the row of a shorter cable.",
  };
}

function Row({ values, show: Show }: AnswerProps) {
  const { answer, error } = useLink(values);
  return <Show found={answer && between(answer)} error={error} />;
}

export const betweenRows: Kind = {
  Answer: Row,
  useStale: useStaleLink,
  title: "Shipped rows and the line through them",
  Evidence: Shipped,
  Inputs: headroomInputs({ link: ["speed", "cable", "mtu"] }),
  more: [
    { title: "Headroom by each scheme", Part: Bars },
    { title: "The lines of the vendor's rule", Part: Lines },
  ],
};

function OneScheme({ values, show: Show }: AnswerProps) {
  const { answer, error } = useLink(values);
  const scheme = answer?.schemes[schemeOf(values)];
  return <Show found={answer && scheme && bySum(answer, scheme)} error={error} />;
}

export const bySum = (answer: HeadroomAnswer, { headroom, lines, title, holds, outside }: SchemeAnswer): Finding =>
  doubtful(
    {
      value: formatQuantity(headroom, "B"),
      note: `in ${lines.length} lines`,
      before: `${title}:`,
      after:
        `for ${linkWords(answer)}, the sum of ${lines.length} lines, each with its formula and ` +
        `its source below. It holds for ${holds}.`,
    },
    outside,
  );

export const derivation: Kind = {
  Answer: OneScheme,
  useStale: useStaleLink,
  title: "Every line with its formula and source",
  Evidence: Lines,
  Inputs: headroomInputs({ link: ["speed", "cable", "mtu", "cell_size"] }),
  more: [{ title: "The other schemes", Part: Bars }],
};
