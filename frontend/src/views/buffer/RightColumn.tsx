import { useDebouncedValue } from "@mantine/hooks";

import { EngineChoice } from "./EngineChoice";
import { Recorded } from "./Recorded";
import { AnswerPanel } from "@/features/answer";
import { ExplainPanel } from "@/views/buffer/explain";
import { ValuesTable } from "@/views/buffer/values";
import { memoryOver } from "@/lib/derived";
import { formatObjective } from "@/lib/objectives";
import { fieldText } from "@/lib/quantity";
import { sizeCommand } from "@/lib/snippets";
import { BUFFER } from "@/lib/sweep";
import type { Panel } from "@/lib/view";
import { isActive } from "@/state/useStudy";
import type { Workbench } from "@/views/buffer/state/useWorkbench";
import { answerPlace } from "@/ui/Frame";
import classes from "@/ui/layout.module.css";
import { Tabs } from "@/ui/Tabs";

const tabs: { id: Panel; title: string }[] = [
  { id: "answer", title: "Answer" },
  { id: "explain", title: "Explain" },
  { id: "values", title: "Values" },
];

export function RightColumn({ bench }: { bench: Workbench }) {
  const { view, change } = bench;
  return (
    <section {...answerPlace} className={`${classes.column} ${classes.right}`} aria-label="Answer">
      <Tabs
        label="Answer, derivation and values"
        tabs={tabs}
        chosen={view.panel}
        onPick={(panel) => {
          change({ panel });
        }}
      >
        <Panels bench={bench} />
      </Tabs>
    </section>
  );
}

function Panels({ bench }: { bench: Workbench }) {
  const { view, change, edit, points, buffer } = bench;
  const { engines } = view;
  // An answer that comes at once should not blink.
  const [late] = useDebouncedValue(bench.late.length + bench.lateHere.length > 0, 300);
  // The scenario itself is taken from the menu "Copy or download"; a preset is known by name.
  const command =
    view.scale !== undefined
      ? undefined
      : (between: [number, number]) =>
          sizeCommand({
            scenario: view.scenario === undefined ? view.preset : "scenario.json",
            require: bench.objectives.map(formatObjective),
            engine: "packet",
            replicas: bench.packet.replicas,
            between,
          });
  if (!bench.ready && points.length === 0)
    return bench.problem === undefined && !bench.offline ? (
      <p className={classes.pending} role="status" aria-busy="true">
        Computing the answer
      </p>
    ) : null;
  switch (view.panel) {
    case "explain":
      return (
        <ExplainPanel
          results={bench.here}
          engines={engines}
          about={view.about}
          onAbout={(about) => {
            change({ about });
          }}
        />
      );
    case "values":
      return <ValuesTable points={points} engines={engines} quantities={bench.quantities} buffer={buffer} />;
    case "answer":
      return (
        <>
          <AnswerPanel
            points={points}
            here={bench.here}
            engines={engines}
            objectives={bench.objectives}
            metrics={bench.metrics}
            rules={bench.rules}
            whole={memoryOver(bench.derived)}
            running={isActive(bench.study)}
            unsupported={bench.unsupported}
            buffer={buffer}
            third={bench.third}
            onObjectives={(objectives) => {
              change({ objectives });
            }}
            onExplain={(about) => {
              change({ panel: "explain", about }, "push");
            }}
            onChoose={(size) => {
              // To the byte: three digits may be less than the smallest size that meets the targets.
              edit(BUFFER, fieldText(Math.ceil(size), "B"));
            }}
            onRun={bench.run}
            solutions={bench.solutions}
            command={command}
            cost={bench.cost}
            search={bench.search}
            late={late}
            lateHere={bench.lateHere}
          />
          <EngineChoice bench={bench} />
          <Recorded bench={bench} />
        </>
      );
  }
}
