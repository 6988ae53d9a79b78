import { useState } from "react";

import classes from "./headroom.module.css";
import { Inputs } from "./Inputs";
import { Pool } from "./Pool";
import { Take } from "./Take";
import { Tools } from "./Tools";
import { SchemeBars, SchemeTable, ShippedPanel, type Pointed } from "@/features/headroom";
import { Notices, Refusal, Waiting } from "@/features/status";
import { outsideWords, type HeadroomPanel } from "@/lib/headroom";
import { formatQuantity } from "@/lib/quantity";
import { useHeadroom, type HeadroomBench } from "@/views/headroom/state/useHeadroom";
import { Derivations } from "@/ui/Derivations";
import { answerPlace, answers, Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";
import { Tabs } from "@/ui/Tabs";

const tabs: { id: HeadroomPanel; title: string }[] = [
  { id: "lines", title: "Lines" },
  { id: "shipped", title: "Shipped" },
  { id: "explain", title: "Explain" },
];

/** Link and chip on the left, schemes side by side in the centre, one of them to the byte on the right. */
export function View() {
  const bench = useHeadroom();
  const [pointed, setPointed] = useState<Pointed>();
  const { answer, refusal } = bench;
  return (
    <Frame
      title="Headroom"
      className={layout.main}
      tools={<Tools bench={bench} />}
      notice={<Notices offline={bench.offline} seen={answer !== undefined} ignored={bench.ignored} />}
    >
      <Inputs bench={bench} />
      <section {...answers} className={`${layout.column} ${classes.centre}`} aria-label="Schemes">
        <div className={layout.scroll}>
          {refusal !== undefined && <Refusal problem={refusal} />}
          {answer === undefined && bench.problems.length === 0 && !bench.offline && <Waiting />}
          {answer !== undefined && (
            <div className={classes.part} data-stale={bench.stale}>
              <Range bench={bench} />
              <SchemeBars
                answer={answer}
                chosen={bench.scheme}
                pointed={pointed}
                onPoint={setPointed}
                onChoose={bench.choose}
                onShipped={() => {
                  bench.open("shipped");
                }}
              />
            </div>
          )}
          <Pool bench={bench} />
          <Take bench={bench} />
        </div>
      </section>
      <section
        className={`${layout.column} ${layout.right}`}
        aria-label="One scheme"
        data-stale={bench.stale && answer !== undefined}
      >
        <Tabs label="Lines and shipped tables" tabs={tabs} chosen={bench.panel} onPick={bench.open}>
          <Panels bench={bench} pointed={pointed} onPoint={setPointed} />
        </Tabs>
      </section>
    </Frame>
  );
}

function Panels({
  bench: { answer, division, scheme, panel },
  pointed,
  onPoint,
}: {
  bench: HeadroomBench;
  pointed: Pointed;
  onPoint: (pointed: Pointed) => void;
}) {
  if (answer === undefined) return null;
  if (panel === "shipped") return <ShippedPanel answer={answer} />;
  if (panel === "explain") return <Derivations explanations={division?.explanations ?? []} />;
  const chosen = answer.schemes[scheme];
  return chosen === undefined ? null : (
    <SchemeTable answer={answer} name={scheme} scheme={chosen} pointed={pointed} onPoint={onPoint} />
  );
}

/** The answer in one sentence, with what must be known of it. */
function Range({ bench: { answer } }: { bench: HeadroomBench }) {
  if (answer === undefined) return null;
  const { range, inputs, notes, schemes } = answer;
  const title = (name: string) => schemes[name]?.title ?? name;
  const outside = outsideWords(schemes).trim();
  const one = range.lowest.headroom === range.highest.headroom;
  return (
    <header {...answerPlace} className={classes.answer}>
      <h1>
        {one
          ? formatQuantity(range.lowest.headroom, "B")
          : `${formatQuantity(range.lowest.headroom, "B")} to ${formatQuantity(range.highest.headroom, "B")}`}
        <span>
          of headroom for {formatQuantity(inputs.speed, "bit/s")} over {formatQuantity(inputs.cable, "m")}
        </span>
      </h1>
      {!one && (
        <p>
          Lowest by {title(range.lowest.scheme)}, highest by {title(range.highest.scheme)}.
        </p>
      )}
      {outside !== "" && <p>{outside}</p>}
      {notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </header>
  );
}
