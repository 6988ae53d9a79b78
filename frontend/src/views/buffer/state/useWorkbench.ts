import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { memoryQuery } from "@/api/memory";
import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";
import { scaleQuery } from "@/views/buffer/api";
import { readDerived } from "@/lib/derived";
import { keptBytes, pauses, roomFor } from "@/lib/memory";
import { choices, defaultChoice, quantityOf, TRANSFER } from "@/lib/metrics";
import { formatObjective, usualObjectives } from "@/lib/objectives";
import { transferSize } from "@/lib/oneMore";
import { getPath, setPath, type Json, type JsonObject } from "@/lib/path";
import { withChosen, type Point } from "@/lib/points";
import type { Outside } from "@/lib/range";
import { rulesOf } from "@/lib/rules";
import { atFullSize } from "@/lib/scaling";
import { fieldText } from "@/lib/quantity";
import { BUFFER, bufferBytes, formatSweep, type Sweep } from "@/lib/sweep";
import { sweptQuestion } from "@/lib/sweptQuestion";
import { useCurves, useHere } from "./useEstimates";
import { useRun } from "@/state/useRun";
import { useSizeJob } from "@/state/useSizeJob";
import { useSolved } from "./useSolved";
import { useSweep } from "./useSweep";
import { changedFrom } from "@/lib/view";
import { isActive, useStudy } from "@/state/useStudy";
import { useTurn } from "@/state/useTurn";
import { useView } from "@/state/useView";

const HEADROOM = "switch.headroom";
/** A memory that holds any headroom. */
const AMPLE = "1 TB";
const NONE: Point[] = [];
/** Seeds of a packet study unless the person sets their number: as few as give a 95 % interval worth drawing. */
const REPLICAS = 3;
const NO_METRICS = {};

/** Everything the features show and do, put together from the address bar and the API. */
export function useWorkbench() {
  const [view, change] = useView();
  const catalog = useQuery(catalogQuery);
  const presets = useQuery(presetsQuery);
  const preset = useQuery(presetQuery(view.preset));

  const scenario = view.scenario ?? preset.data?.scenario;
  // What comes from elsewhere has nothing to do with the preset the view would begin with.
  const start = view.from === undefined ? preset.data : undefined;
  const here = useHere(scenario);
  const derived = useMemo(() => readDerived(here.derived), [here.derived]);
  const metrics = catalog.data?.metrics ?? NO_METRICS;
  const rules = useMemo(() => rulesOf(here.results, metrics), [here.results, metrics]);
  const pausing = pauses(scenario);
  const memories = useQuery(memoryQuery(pausing ? scenario : undefined));
  // Where the memory cannot be divided, the server says why, and the range is the usual one.
  const kept = !pausing || memories.isError ? undefined : memories.data === undefined ? null : keptBytes(memories.data);
  const { sweep, ready } = useSweep({ scenario, start, set: view.over, derived, known: here.known, rules, kept });
  const replicas = getPath(scenario, "run.replicas");
  const packet = view.packet ?? {
    points: sweep.points,
    replicas: Math.max(REPLICAS, typeof replicas === "number" ? replicas : 1),
  };
  const over = useMemo(() => ({ [BUFFER]: formatSweep(sweep, packet.points) }), [sweep, packet.points]);

  const curves = useCurves(ready ? scenario : undefined, sweep);
  const pinnedCurves = useCurves(view.pinned?.scenario, sweep);
  const { study, cancel, restart } = useStudy(view.study);
  const { study: pinnedStudy } = useStudy(view.pinned?.study);
  const scaling = useQuery(scaleQuery(scenario, view.scale));
  const alone =
    ready &&
    curves.settled &&
    curves.ready &&
    curves.points.length === 0 &&
    curves.errors.every((error) => error === null);
  const run = useRun({ view, change, scenario, sweep, packet, restart, alone });

  /** As the engines gave them. */
  const given = useMemo(() => [...curves.points, ...(study?.points ?? NONE)], [curves.points, study?.points]);
  // At the chosen size every panel has the number that was computed for it, not that of the nearest swept size.
  const points = useMemo(
    () =>
      given.length === 0 ? NONE : withChosen(given.map(atFullSize), curves.late.length > 0 ? NONE : here.points, sweep),
    [given, curves.late, here.points, sweep],
  );
  const pinned = useMemo(
    () =>
      view.pinned === undefined ? NONE : [...pinnedCurves.points, ...(pinnedStudy?.points ?? NONE)].map(atFullSize),
    [view.pinned, pinnedCurves.points, pinnedStudy?.points],
  );
  const available = useMemo(() => choices(points, metrics, derived), [points, metrics, derived]);
  const third = view.third !== undefined && available.includes(view.third) ? view.third : defaultChoice(available);
  const transfer = transferSize(scenario);
  const quantities = useMemo(
    () =>
      ["drop_rate", "utilisation", third]
        .map((id) => quantityOf(id, metrics, derived))
        .filter((quantity) => quantity !== undefined)
        .map((quantity) =>
          quantity.id === TRANSFER ? { ...quantity, title: `Completion time of ${transfer}` } : quantity,
        ),
    [third, metrics, derived, transfer],
  );

  const longLived = derived.flows !== undefined || here.derived === undefined;
  const known = catalog.data !== undefined;
  const objectives = useMemo(
    () =>
      // A link may name a metric that there is not; the notice says so.
      view.objectives?.filter(({ metric }) => !known || metric in metrics) ?? usualObjectives(longLived),
    [view.objectives, longLived, known, metrics],
  );

  // A whole curve of fluid comes before its search, which takes as long again.
  const waiting = useMemo(
    () => (curves.settled ? curves.late : [...curves.late, "fluid"]),
    [curves.settled, curves.late],
  );
  const solutions = useSolved({
    scenario: ready ? scenario : undefined,
    points: curves.points,
    late: waiting,
    engines: view.engines,
    objectives,
    units: metrics,
  });

  // Packets answer for the scenario as it is, not for one scaled down. Their search comes after the curves, which are
  // quicker.
  const searching = view.engines.includes("packet") && view.scale === undefined && ready && scenario !== undefined;
  const require = useMemo(() => objectives.map(formatObjective), [objectives]);
  const found = useSizeJob(searching && curves.settled ? scenario : undefined, require, true);
  const search = searching ? found : undefined;

  // An obsolete study would only delay the next one; its finished runs stay stored.
  const active = isActive(study);
  const leave = useCallback(() => {
    if (active) cancel();
  }, [active, cancel]);

  const write = useCallback(
    (path: string, value: Json | undefined, buffer?: string) => {
      const start = preset.data?.scenario;
      change(
        (before) => {
          const document = before.scenario ?? start;
          if (document === undefined) return {};
          const edited = setPath(document, path, value) as JsonObject;
          const scenario = buffer === undefined ? edited : (setPath(edited, BUFFER, buffer) as JsonObject);
          // Packet points stay only where the answer cannot differ: the sweep replaces the buffer anyway.
          const same = sweptQuestion(scenario) === sweptQuestion(document);
          if (!same) leave();
          return {
            scenario,
            ...(same ? {} : { study: undefined }),
            ...(before.from === undefined ? {} : { from: changedFrom(before.from) }),
          };
        },
        isObjectEdit(value) ? "push" : "replace",
      );
    },
    [change, preset.data, leave],
  );
  const queries = useQueryClient();
  const turn = useTurn(view.preset);
  const edit = useCallback(
    (path: string, value: Json | undefined) => {
      const next = scenario === undefined ? undefined : (setPath(scenario, path, value) as JsonObject);
      const own = next === undefined ? undefined : bufferBytes(next);
      if (path !== HEADROOM || next === undefined || own === undefined || !pauses(next)) {
        write(path, value);
        return;
      }
      // A buffer chosen for drops is often smaller than the headroom alone: it grows by as much, so that the choice
      // of headroom makes no error. A later choice, another preset or Back makes this one void.
      const chosen = turn.take();
      queries
        .query(memoryQuery(setPath(next, BUFFER, AMPLE) as JsonObject))
        .then((memories) => roomFor(keptBytes(memories) ?? 0, own))
        .catch(() => undefined)
        .then((buffer) => {
          if (turn.holds(chosen)) write(path, value, buffer === undefined ? undefined : fieldText(buffer, "B"));
        })
        .catch(() => undefined);
    },
    [scenario, write, queries, turn],
  );

  /** The range as the person wants it; undefined lets it follow the scenario. */
  const setRange = useCallback(
    (next: Sweep | undefined) => {
      const over = next === undefined ? undefined : formatSweep(next);
      // Points of other sizes stay right, so a finished study stays; one under way would compute sizes nobody asks for
      // now.
      leave();
      change({ over });
    },
    [change, leave],
  );
  const landmarks: Outside[] = [
    // Below its headroom a switch has no memory to share, whatever the product is.
    ...(derived.bdp === undefined || derived.bdp < (kept ?? 0)
      ? []
      : [{ name: "bandwidth-delay product", value: derived.bdp }]),
    ...(derived.buffer === undefined ? [] : [{ name: "chosen buffer", value: derived.buffer }]),
    ...Object.entries(solutions).flatMap(([engine, solution]) =>
      solution.state === "solved" ? [{ name: `answer of ${engine}`, value: solution.buffer }] : [],
    ),
    ...(typeof search?.job?.result?.value === "number"
      ? [{ name: "answer of packet", value: search.job.result.value }]
      : []),
  ];

  const failure =
    [here.error, ...curves.errors, catalog.error, presets.error, preset.error].find((error) => error !== null) ??
    undefined;
  return {
    view,
    change,
    edit,
    setRange,
    landmarks,
    run: run.start,
    starting: run.starting,
    runError: run.error,
    cost: run.cost,
    cancel,
    leave,
    study,
    scenario,
    sweep,
    packet,
    over,
    given,
    points,
    pinned,
    derived,
    metrics,
    available,
    third,
    transfer,
    quantities,
    objectives,
    rules,
    solutions,
    search,
    catalog: catalog.data,
    presets: presets.data,
    preset: preset.data,
    /** What scaling by the chosen factor keeps, or why it is refused. */
    scaling: view.scale === undefined ? undefined : scaling.data,
    unscalable: view.scale === undefined || !(scaling.error instanceof ApiProblem) ? undefined : scaling.error,
    buffer: derived.buffer,
    here: here.results,
    late: curves.late,
    /** Engines whose numbers at the chosen size still belong to an earlier scenario. */
    lateHere: here.late,
    unsupported: [...curves.unsupported, ...(study?.unsupported ?? [])],
    problem: failure instanceof ApiProblem ? failure : undefined,
    offline: failure instanceof Unreachable,
    ready: curves.ready,
  };
}

export type Workbench = ReturnType<typeof useWorkbench>;

const isObjectEdit = (value: Json | undefined) => typeof value === "object";
