import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState, type KeyboardEvent, type PointerEvent } from "react";

import { palettes } from "@/lib/palette";
import { formatQuantity } from "@/lib/quantity";
import {
  pixelOf,
  spanOf,
  stepAt,
  stepsOf,
  timeFigure,
  timeScene,
  timeUnder,
  type Line,
  type Panel,
  type TimeScene,
} from "@/lib/timePanels";
import { LineMark } from "@/plot/LineMark";
import { Plot } from "@/plot/Plot";
import classes from "@/plot/time.module.css";

type Props = { label: string; panels: readonly Panel[] };

const nothing = () => {};

/** Plots over one axis of time with a cross-hair that reads all of them; the arrow keys move it, a drag zooms. */
export function TimePlot({ label, panels }: Props) {
  const { ref, width } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const [zoom, setZoom] = useState<{ full: [number, number]; range: [number, number] }>();
  const [at, setAt] = useState<number>();
  const full = useMemo(() => spanOf(panels), [panels]);
  // A zoom belongs to the span it was made in.
  const range = zoom?.full.every((end, i) => end === full[i]) === true ? zoom.range : full;
  const scene = useMemo(() => timeScene(panels, width, range), [panels, width, range]);
  const figure = useMemo(() => timeFigure(panels, scene, palettes[scheme]), [panels, scene, scheme]);
  const text = useMemo(() => {
    const shown = panels.map(({ title, lines }) => `${title}: ${lines.map(({ name }) => name).join(", ")}`);
    return {
      summary:
        `${label}. ${shown.join(". ")}. The slider below reads all lines at a chosen ` +
        "time; all values are in the tables.",
    };
  }, [label, panels]);
  const steps = useMemo(() => stepsOf(panels), [panels]);

  const under = (event: PointerEvent<HTMLElement>) => {
    const time = timeUnder(event.clientX - event.currentTarget.getBoundingClientRect().left, scene);
    setAt(time === undefined ? undefined : steps[stepAt(steps, time)]);
  };
  return (
    <div
      ref={ref}
      className={classes.plots}
      style={{ height: scene.height }}
      role="group"
      aria-label={label}
      onPointerMove={under}
      onPointerLeave={() => {
        setAt(undefined);
      }}
    >
      {width > 0 && (
        <>
          <Plot
            figure={figure}
            text={text}
            onRange={([low, high]) => {
              setZoom({ full, range: [Math.max(low, full[0]), Math.min(high, full[1])] });
            }}
            onName={nothing}
          />
          {panels.map((panel, i) => (
            <Heading key={i} panel={panel} top={(scene.boxes[i]?.top ?? 0) - 22} scene={scene} at={at} />
          ))}
          <Hair panels={panels} ends={steps} at={at} scene={scene} onMove={setAt} />
          {range !== full && (
            <button
              type="button"
              className={classes.whole}
              onClick={() => {
                setZoom(undefined);
              }}
            >
              Whole range
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** What a plot shows, its legend, and the values under the cross-hair. */
function Heading({ panel, top, scene, at }: { panel: Panel; top: number; scene: TimeScene; at: number | undefined }) {
  return (
    <div className={classes.heading} style={{ top, left: scene.left, right: scene.right }}>
      <h3>{panel.title}</h3>
      <div className={classes.values}>
        {panel.lines.map((line) => (
          <span key={line.name} className={classes.value} data-colour={line.colour}>
            <LineMark style={line.style} />
            {line.name} {at !== undefined && <b>{read(line, panel, at)}</b>}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A line's value in the step of a time, with that of its other edge; what has ended has none. */
function read({ values, edge, edgeName, read: own }: Line, { unit, ends }: Panel, time: number): string {
  const index = time > (ends[ends.length - 1] ?? 0) ? -1 : stepAt(ends, time);
  const show = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : formatQuantity(value, unit);
  const shown = own ?? values;
  return edge === undefined ? show(shown[index]) : `${show(shown[index])}, ${edgeName ?? "to"} ${show(edge[index])}`;
}

type HairProps = {
  panels: readonly Panel[];
  ends: readonly number[];
  at: number | undefined;
  scene: TimeScene;
  onMove: (time: number | undefined) => void;
};

function Hair({ panels, ends, at, scene, onMove }: HairProps) {
  const [focused, setFocused] = useState(false);
  const [low, high] = scene.range;
  const first = stepAt(ends, low);
  const last = stepAt(ends, high);
  const here = Math.min(Math.max(at === undefined ? first : stepAt(ends, at), first), last);
  const time = ends[here] ?? 0;
  const x = pixelOf(Math.min(Math.max(time, low), high), scene);
  const bottom = scene.height - 30;
  const shown = at !== undefined || focused;
  const onKey = (event: KeyboardEvent) => {
    const stride = event.shiftKey ? 10 : 1;
    const moves: Record<string, number> = {
      ArrowRight: here + stride,
      ArrowLeft: here - stride,
      Home: first,
      End: last,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onMove(ends[Math.min(Math.max(next, first), last)]);
  };
  const spoken = panels
    .map(
      (panel) => `${panel.title}: ${panel.lines.map((line) => `${line.name} ${read(line, panel, time)}`).join(", ")}`,
    )
    .join(". ");
  return (
    <>
      <div
        className={classes.hair}
        data-shown={shown}
        style={{ left: x, top: scene.boxes[0]?.top ?? 0, height: bottom - (scene.boxes[0]?.top ?? 0) }}
      />
      <div
        role="slider"
        tabIndex={0}
        className={classes.tag}
        data-shown={shown}
        style={{ left: Math.min(Math.max(x, scene.left + 34), scene.width - scene.right - 34), top: bottom + 5 }}
        aria-label="Time under the cross-hair"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={here}
        aria-valuetext={`${formatQuantity(time, "s", 4)}. ${spoken}`}
        onKeyDown={onKey}
        onFocus={() => {
          setFocused(true);
          onMove(time);
        }}
        onBlur={() => {
          setFocused(false);
          onMove(undefined);
        }}
      >
        {formatQuantity(time, "s", 4)}
      </div>
    </>
  );
}
