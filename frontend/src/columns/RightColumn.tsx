import type { KeyboardEvent } from "react";

import classes from "@/App.module.css";
import { AnswerPanel } from "@/features/answer";
import { ExplainPanel } from "@/features/explain";
import { ValuesTable } from "@/features/values";
import { formatQuantity } from "@/lib/quantity";
import { BUFFER } from "@/lib/sweep";
import { PANELS, type Panel } from "@/lib/view";
import { isActive } from "@/state/useStudy";
import type { Workbench } from "@/state/useWorkbench";

const titles: Record<Panel, string> = { answer: "Answer", explain: "Explain", values: "Values" };

export function RightColumn({ bench }: { bench: Workbench }) {
  const { view, change } = bench;
  const pick = (panel: Panel) => {
    change({ panel });
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = PANELS[(PANELS.indexOf(view.panel) + step + PANELS.length) % PANELS.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    pick(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section className={`${classes.column} ${classes.right}`} aria-label="Answer">
      <div className={classes.tabs} role="tablist" aria-label="Answer, derivation and values" onKeyDown={onKey}>
        {PANELS.map((panel) => (
          <button
            key={panel}
            id={`tab-${panel}`}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={view.panel === panel}
            aria-controls="panel"
            tabIndex={view.panel === panel ? 0 : -1}
            onClick={() => {
              pick(panel);
            }}
          >
            {titles[panel]}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${view.panel}`} className={classes.scroll} tabIndex={0}>
        <Panels bench={bench} />
      </div>
    </section>
  );
}

function Panels({ bench }: { bench: Workbench }) {
  const { view, change, edit, points, buffer } = bench;
  const { engines } = view;
  if (!bench.ready && points.length === 0) return null;
  switch (view.panel) {
    case "explain":
      return <ExplainPanel results={bench.here} engines={engines} about={view.about} onAbout={(about) => { change({ about }); }} />;
    case "values":
      return <ValuesTable points={points} engines={engines} quantities={bench.quantities} buffer={buffer} />;
    case "answer":
      return (
        <AnswerPanel
          points={points}
          here={bench.here}
          engines={engines}
          objectives={bench.objectives}
          metrics={bench.metrics}
          rules={bench.rules}
          running={isActive(bench.study)}
          unsupported={bench.unsupported}
          buffer={buffer}
          third={bench.third}
          onObjectives={(objectives) => { change({ objectives }); }}
          onExplain={(about) => { change({ panel: "explain", about }, "push"); }}
          onChoose={(size) => { edit(BUFFER, formatQuantity(size, "B")); }}
          onRun={bench.run}
        />
      );
  }
}
