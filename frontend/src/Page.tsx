import { useEffect } from "react";

import classes from "@/App.module.css";
import { CentreColumn } from "@/columns/CentreColumn";
import { LeftColumn } from "@/columns/LeftColumn";
import { RightColumn } from "@/columns/RightColumn";
import { Tools } from "@/columns/Tools";
import { Offline } from "@/features/status";
import { loadPlotly } from "@/plot/load";
import { isActive } from "@/state/useStudy";
import { useHotkeys } from "@/state/useHotkeys";
import { useWorkbench } from "@/state/useWorkbench";
import { ThemeToggle } from "@/ThemeToggle";

/** Scenario on the left, plots in the centre, the answer on the right. */
export function Page() {
  const bench = useWorkbench();
  // Fetched already by the page's head, the plotting library is read while the server works on the first answers.
  const asked = bench.scenario !== undefined;
  useEffect(() => {
    if (asked) void loadPlotly();
  }, [asked]);
  useHotkeys({ run: bench.run, cancel: isActive(bench.study) ? bench.cancel : undefined });
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <a className="skip" href="#plots">
          Skip to the plots
        </a>
        <h1 className={classes.name}>Footroom</h1>
        <p className={classes.motto}>How much buffer does this switch need, and set how?</p>
        <div className={classes.tools}>
          <Tools bench={bench} />
          <ThemeToggle />
        </div>
      </header>
      <div>{bench.offline && <Offline seen={bench.ready} />}</div>
      <main className={classes.main}>
        <LeftColumn bench={bench} />
        <CentreColumn bench={bench} />
        <RightColumn bench={bench} />
      </main>
    </div>
  );
}
