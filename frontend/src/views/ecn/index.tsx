import classes from "./ecn.module.css";
import { Tools } from "./Tools";
import { Defaults, TradeOff, Words } from "@/features/ecn";
import { EcnRun } from "@/features/lossless";
import { Notices, Refusal, Waiting } from "@/features/status";
import { Fields } from "@/form/Fields";
import { FormArea } from "@/form/FormArea";
import { ADVICE, fabricOf, nearest, type EcnQuestion, type Thresholds } from "@/lib/ecn";
import { useEcn, type EcnBench } from "@/views/ecn/state/useEcn";
import { Derivations } from "@/ui/Derivations";
import { answerPlace, Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";
import { plainText } from "@/lib/problems";

/** What is asked on the left, the trade-off with what is shipped in the centre, the answer in words on the right. */
export function View() {
  const bench = useEcn();
  const { answer, asked, stale } = bench;
  const shown = stale && answer !== undefined;
  return (
    <Frame
      title="ECN"
      className={layout.main}
      tools={<Tools bench={bench} />}
      notice={<Notices offline={bench.offline} seen={answer !== undefined} ignored={bench.ignored} />}
    >
      <section className={`${layout.column} ${layout.left}`} aria-label="Port and flows">
        <FormArea
          problems={bench.problems}
          axes={bench.axes}
          hint="Every field takes a unit. Thresholds are searched for equal long-lived flows into one port."
          onChange={bench.change}
        >
          <Fields schema={bench.schema} root={bench.root} path="" value={bench.state} of="Thresholds" />
        </FormArea>
      </section>
      <section className={`${layout.column} ${layout.centre}`} aria-label="Trade-off">
        <div className={layout.scroll}>
          {bench.refusal !== undefined && <Refusal problem={bench.refusal} />}
          {answer === undefined && bench.refusal === undefined && bench.problems.length === 0 && !bench.offline && (
            <Waiting />
          )}
          {answer !== undefined && asked !== undefined && (
            <div data-stale={shown}>
              <Centre bench={bench} asked={asked} />
            </div>
          )}
        </div>
      </section>
      <section {...answerPlace} className={`${layout.column} ${layout.right}`} aria-label="Answer" aria-busy={stale}>
        <div className={layout.scroll} tabIndex={0} role="group" aria-label="Answer in words">
          {answer !== undefined && asked !== undefined && (
            <div data-stale={shown}>
              <Right bench={bench} asked={asked} />
            </div>
          )}
        </div>
      </section>
    </Frame>
  );
}

type Props = { bench: EcnBench; asked: EcnQuestion };

const pointsOf = ({ advice, answer }: EcnBench) => [
  ...(advice === undefined ? [] : [advice]),
  ...(answer?.defaults ?? []),
];

function Centre({ bench, asked }: Props) {
  const { answer, chosen, choose } = bench;
  const points = pointsOf(bench);
  return (
    <>
      <TradeOff question={asked} curve={answer?.curve ?? []} points={points} chosen={chosen} onChoose={choose} />
      <Defaults
        points={points}
        question={asked}
        chosen={chosen}
        validFrom={answer?.valid_from ?? 0}
        onChoose={choose}
      />
    </>
  );
}

function Right({ bench, asked }: Props) {
  const { answer, advice, chosen } = bench;
  if (answer === undefined) return null;
  const other = chosen === ADVICE ? undefined : answer.defaults.find(({ name }) => name === chosen);
  return (
    <>
      {advice === undefined ? (
        <Nothing bench={bench} asked={asked} />
      ) : (
        <Words one={advice} question={asked} level={1} validFrom={answer.valid_from} />
      )}
      {other !== undefined && <Words one={other} question={asked} level={2} validFrom={answer.valid_from} />}
      <BeforePauses one={other ?? advice ?? answer.defaults[0]} asked={asked} />
      <ul className={classes.notes}>
        {answer.notes.map((note) => (
          <li key={note}>{plainText(note)}</li>
        ))}
      </ul>
      <Derivations explanations={answer.explanations} />
    </>
  );
}

/** Whether these thresholds mark before PFC pauses, which a packet run shows. */
function BeforePauses({ one, asked }: { one: Thresholds | undefined; asked: EcnQuestion }) {
  if (one === undefined) return null;
  return (
    <section className={classes.words} aria-label="Marking before pauses">
      <h2>Does ECN mark before PFC pauses?</h2>
      <EcnRun {...fabricOf(asked, one)} />
    </section>
  );
}

/** Nothing meets the targets: why, and what came nearest. */
function Nothing({ bench: { answer, chosen }, asked }: Props) {
  if (answer === undefined) return null;
  const near = nearest([...answer.curve, ...answer.defaults]);
  return (
    <>
      <div className={classes.nothing} role="status">
        <h1>No thresholds meet the targets</h1>
        <p>{answer.reason.charAt(0).toUpperCase() + answer.reason.slice(1)}.</p>
      </div>
      {near !== undefined && near.name !== chosen && (
        <Words
          one={{ ...near, name: near.name === "curve" ? "Closest" : `Closest: ${near.name}` }}
          question={asked}
          level={2}
          validFrom={answer.valid_from}
        />
      )}
    </>
  );
}
