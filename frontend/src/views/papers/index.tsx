import { useEffect } from "react";

import classes from "./papers.module.css";
import {
  Assumptions,
  CaseTable,
  EngineErrors,
  FigureCard,
  PaperList,
  RunBar,
  TargetTable,
} from "@/views/papers/panels";
import { TakeMenu, type Item } from "@/features/share";
import { Notices, Refusal, Waiting } from "@/features/status";
import { download } from "@/lib/browser";
import {
  CONFIDENCES,
  countWords,
  PAPER_CHOICES,
  PAPER_FIELDS,
  releasedWords,
  sizesInWords,
  VERDICTS,
  verdictWords,
  type Tab,
} from "@/views/papers/lib/papers";
import { commandLine, option, quoted } from "@/lib/shell";
import { literal } from "@/lib/snippets";
import { loadPlotly } from "@/plot/load";
import { useIgnored } from "@/state/useDocument";
import { useHotkeys } from "@/state/useHotkeys";
import { usePapers, type PapersBench } from "@/views/papers/state/usePapers";
import { Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";
import { Tabs } from "@/ui/Tabs";

const tabs: { id: Tab; title: string }[] = [
  { id: "targets", title: "Targets" },
  { id: "figures", title: "Figures" },
  { id: "scenarios", title: "Scenarios" },
  { id: "assumptions", title: "Assumptions and limits" },
];

/** Published experiments on the left; what they printed beside what we find on the right. */
export function View() {
  const bench = usePapers();
  const { view, change, chosen, papers } = bench;
  const ignored = useIgnored(PAPER_FIELDS, PAPER_CHOICES);
  useHotkeys({ run: bench.start, cancel: bench.active ? bench.cancel : undefined });
  useEffect(() => {
    if (view.tab === "figures") void loadPlotly();
  }, [view.tab]);
  return (
    <Frame
      title="Papers"
      className={classes.page}
      tools={<Tools bench={bench} />}
      notice={<Notices offline={bench.offline} seen={papers !== undefined} ignored={ignored} />}
    >
      <section className={`${layout.column} ${layout.left}`} aria-label="Published experiments">
        <div>
          <div className={classes.head}>
            <h1>Published results, simulated again</h1>
            <p>
              Each published result is compared with our runs by a rule that was fixed in advance. A result that our
              models miss is shown as missed.
            </p>
          </div>
          {papers !== undefined && (
            <PaperList
              papers={papers}
              chosen={chosen?.id}
              onChoose={(paper) => {
                change({ paper }, "push");
              }}
            />
          )}
          <EngineErrors />
        </div>
      </section>
      <section className={`${layout.column} ${classes.main}`} aria-label={chosen?.title ?? "Paper"}>
        {bench.refusal !== undefined && <Refusal problem={bench.refusal} />}
        {bench.unknown && <p className={classes.none}>There is no paper {view.paper}. Choose one on the left.</p>}
        {papers === undefined && bench.refusal === undefined && !bench.offline && <Waiting />}
        {chosen !== undefined && <Body bench={bench} chosen={chosen} />}
      </section>
    </Frame>
  );
}

function Body({ bench, chosen }: { bench: PapersBench; chosen: NonNullable<PapersBench["chosen"]> }) {
  const { view, tier, change, paper, result, released, figures } = bench;
  const tiers = [...new Set(chosen.experiments.flatMap((experiment) => experiment.tiers))];
  const about = sizesInWords(
    (paper?.experiments ?? []).flatMap(({ id, tiers: sizes }) =>
      sizes[tier] === undefined ? [] : [[id, sizes[tier].about] as const],
    ),
  );
  return (
    <>
      <div className={classes.paper}>
        <h2>{chosen.title}</h2>
        <p>
          {chosen.authors}, {chosen.year}. {chosen.source}.
        </p>
        <p>{chosen.about}</p>
      </div>
      <RunBar
        tiers={tiers}
        tier={tier}
        about={about}
        run={bench.run}
        active={bench.active}
        starting={bench.starting}
        failure={bench.failure}
        onTier={(next) => {
          change({ tier: next });
        }}
        onRun={bench.start}
        onCancel={bench.cancel}
      />
      {released !== undefined && <p className={classes.released}>{releasedWords(released).join(" ")}</p>}
      <Tabs
        label="Targets, figures and assumptions"
        tabs={tabs}
        chosen={view.tab}
        onPick={(tab) => {
          change({ tab, target: undefined });
        }}
      >
        {view.tab === "targets" && <Targets bench={bench} />}
        {view.tab === "figures" && (
          <div className={classes.figures}>
            {(figures ?? []).map((figure) => (
              <FigureCard
                key={`${chosen.id}${tier}${figure.id}`}
                figure={figure}
                name={`footroom-${chosen.id}-${tier}-${figure.id}`}
              />
            ))}
            {result === undefined && released === undefined && (
              <p className={classes.none}>Figures are drawn from the runs. Run the paper at this size to see them.</p>
            )}
            {figures?.length === 0 && <p className={classes.none}>This paper has no figure here.</p>}
          </div>
        )}
        {view.tab === "scenarios" && bench.cases === undefined && bench.refusal === undefined && !bench.offline && (
          <Waiting />
        )}
        {view.tab === "scenarios" && bench.cases !== undefined && (
          <CaseTable
            cases={bench.cases}
            runs={result?.runs ?? []}
            tier={tier}
            target={view.target}
            shownBy={bench.rows.find(({ target }) => target.id === view.target)?.judged?.shown_by ?? undefined}
            onAll={() => {
              change({ target: undefined });
            }}
          />
        )}
        {view.tab === "assumptions" && paper !== undefined && (
          <Assumptions
            paper={paper}
            onScenarios={() => {
              change({ tab: "scenarios", target: undefined }, "push");
            }}
          />
        )}
      </Tabs>
    </>
  );
}

function Targets({ bench }: { bench: PapersBench }) {
  const { view, change, rows, shown, result, released } = bench;
  const judged = result !== undefined || released !== undefined;
  const [all, simulated] = countWords(rows);
  return (
    <>
      <div className={classes.filters}>
        <p role="status">
          {judged ? all : `${rows.length} targets, not judged at this size yet`}
          {judged && simulated !== "" && <small>; {simulated}</small>}
        </p>
        <label>
          Verdict
          <select
            value={view.verdict ?? ""}
            onChange={({ currentTarget }) => {
              change({ verdict: VERDICTS.find((one) => one === currentTarget.value) });
            }}
          >
            <option value="">all</option>
            {VERDICTS.map((one) => (
              <option key={one} value={one}>
                {verdictWords[one].slice(2)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Confidence
          <select
            value={view.confidence ?? ""}
            onChange={({ currentTarget }) => {
              change({ confidence: CONFIDENCES.find((one) => one === currentTarget.value) });
            }}
          >
            <option value="">all</option>
            {CONFIDENCES.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <TargetTable
        rows={shown}
        all={rows.length}
        onScenarios={(target) => {
          change({ tab: "scenarios", target }, "push");
        }}
        tier={bench.tier}
      />
    </>
  );
}

function Tools({ bench: { chosen, tier, result } }: { bench: PapersBench }) {
  if (chosen === undefined) return null;
  const { origin, href } = window.location;
  const address = `${origin}/api/v1/papers/${encodeURIComponent(chosen.id)}`;
  return (
    <TakeMenu
      items={({ copy }): Item[][] => [
        [
          [
            "Copy link",
            "this paper and size",
            () => {
              copy("Link", href);
            },
          ],
          [
            "Copy as Python",
            "papers.run(…)",
            () => {
              copy(
                "Python",
                `from footroom import papers\n\nprint(papers.run(${literal([chosen.id])}, ` +
                  `tier=${literal(tier)}).to_frame())\n`,
              );
            },
          ],
          [
            "Copy as curl",
            "the API",
            () => {
              copy(
                "curl",
                commandLine("curl -sS -X POST", quoted(`${address}/run?tier=${tier}`)) +
                  commandLine("curl -sS", quoted(`${address}/runs/${tier}`)),
              );
            },
          ],
          [
            "Copy as a command",
            "footroom papers",
            () => {
              copy("Command", commandLine("footroom papers run", quoted(chosen.id), option("--tier", tier)));
            },
          ],
        ],
        result === undefined
          ? []
          : [
              [
                "Download JSON",
                "verdicts and figures",
                () => {
                  download(`footroom-${chosen.id}-${tier}.json`, JSON.stringify(result, null, 1), "application/json");
                },
              ],
            ],
      ]}
    />
  );
}
