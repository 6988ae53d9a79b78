import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";

import { CentreColumn } from "./CentreColumn";
import { LeftColumn } from "./LeftColumn";
import { RightColumn } from "./RightColumn";
import { Tools } from "./Tools";
import { Notices } from "@/features/status";
import { useInvalidFields } from "@/form/invalid";
import { ignoredIn } from "@/lib/permalink";
import { loadPlotly } from "@/plot/load";
import { isActive } from "@/state/useStudy";
import { useHotkeys } from "@/state/useHotkeys";
import { queryOf } from "@/state/router";
import { useWorkbench } from "@/views/buffer/state/useWorkbench";
import { Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

/** What Ctrl+Enter does while a field is wrong. */
const NOTHING = () => {};

/** Scenario on the left, plots in the centre, the answer on the right. */
export function View() {
  const bench = useWorkbench();
  // Fetched already by the page's head, the plotting library is read while the server works on the first answers.
  const asked = bench.scenario !== undefined;
  useEffect(() => {
    if (asked) void loadPlotly();
  }, [asked]);
  const metrics = bench.catalog === undefined ? undefined : new Set(Object.keys(bench.catalog.metrics));
  const ignored = ignoredIn(queryOf(useLocation().search as unknown), metrics);
  const invalid = useInvalidFields().length > 0;
  useHotkeys({ run: invalid ? NOTHING : bench.run, cancel: isActive(bench.study) ? bench.cancel : undefined });
  return (
    <Frame
      title="Buffer"
      className={layout.main}
      tools={<Tools bench={bench} />}
      notice={<Notices offline={bench.offline} seen={bench.ready} ignored={ignored} />}
    >
      <h1 className="visually-hidden">Buffer size against loss, utilisation and delay</h1>
      <LeftColumn bench={bench} />
      <CentreColumn bench={bench} />
      <RightColumn bench={bench} />
    </Frame>
  );
}
