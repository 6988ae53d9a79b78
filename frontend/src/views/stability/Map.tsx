import { wordsOf } from "@/api/problem";
import { AxisPicker, Course, MapPlot } from "@/views/stability/panels";
import classes from "@/views/stability/panels/map.module.css";
import { Refusal, Waiting } from "@/features/status";
import { showField } from "@/views/stability/lib/mapAxes";
import { setPath, type JsonObject } from "@/lib/path";
import type { StabilityBench } from "@/views/stability/state/useStability";
import layout from "@/ui/layout.module.css";

/** The map over two fields, and below it the course at the point that is looked at. */
export function Map({ bench }: { bench: StabilityBench }) {
  const { x, y, map, cell, fields, change, refusal, missing, answer, offline, problems } = bench;
  const refused = refusal ?? missing;
  const shown = !bench.unsupported;
  const axes = x !== undefined && y !== undefined && shown;
  return (
    <section className={`${layout.column} ${layout.centre}`} aria-label="Map">
      {axes && (
        <div className={classes.axes}>
          <AxisPicker
            title="x axis"
            axis={x}
            fields={fields}
            other={y.field.path}
            onChange={(axis) => {
              change({ x: axis, at: undefined });
            }}
          />
          <AxisPicker
            title="y axis"
            axis={y}
            fields={fields}
            other={x.field.path}
            onChange={(axis) => {
              change({ y: axis, at: undefined });
            }}
          />
        </div>
      )}
      <div className={layout.scroll}>
        {refused !== undefined && <Refusal problem={refused} />}
        {bench.mapError !== undefined && shown && (
          <p className={classes.refused} role="alert">
            No map: {wordsOf(bench.mapError)}
          </p>
        )}
        {refused === undefined && answer === undefined && !offline && problems.length === 0 && <Waiting />}
        {map === undefined && axes && refused === undefined && bench.mapError === undefined && !offline && (
          <p className={layout.pending} role="status" aria-busy="true">
            Computing the map
          </p>
        )}
        {map !== undefined && shown && (
          <MapPlot
            map={map}
            chosen={cell}
            stale={bench.staleMap}
            left={bench.left}
            onChoose={(across, up) => {
              change({ at: `${Number(across.toPrecision(8))},${Number(up.toPrecision(8))}` });
            }}
          />
        )}
        {shown && <At bench={bench} />}
      </div>
    </section>
  );
}

function At({ bench: { course, courseError, staleCourse, cell, x, y, scenario, change } }: { bench: StabilityBench }) {
  if (courseError !== undefined && cell !== undefined)
    return <p className={classes.refused}>No queue over time here: {wordsOf(courseError)}</p>;
  if (course === undefined) return null;
  const named = cell !== undefined && x !== undefined && y !== undefined;
  return (
    <Course
      answer={course}
      where={
        named
          ? `${x.field.label} ${showField(x.field, cell[0])}, ${y.field.label} ${showField(y.field, cell[1])}`
          : undefined
      }
      stale={staleCourse}
      onTake={() => {
        if (named && scenario !== undefined)
          change(
            {
              scenario: setPath(setPath(scenario, x.field.path, cell[0]), y.field.path, cell[1]) as JsonObject,
              set: undefined,
              at: undefined,
            },
            "push",
          );
      }}
      onBack={() => {
        change({ at: undefined });
      }}
    />
  );
}
