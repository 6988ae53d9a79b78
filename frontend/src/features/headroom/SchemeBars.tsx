import { useMemo, type CSSProperties } from "react";

import classes from "./bars.module.css";
import { Legend } from "./Legend";
import { shippedXoff } from "./shipped";
import { ShippedMarks } from "./ShippedMarks";
import { PARTS, stacked, titleOf, type Pointed } from "./types";
import type { HeadroomAnswer, SchemeAnswer } from "@/api/headroom";
import { linearAxis, segments } from "@/lib/bars";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { Formula } from "@/ui/Formula";

type Props = {
  answer: HeadroomAnswer;
  chosen: string;
  pointed: Pointed;
  onPoint: (pointed: Pointed) => void;
  onChoose: (scheme: string) => void;
  onShipped: () => void;
};

/** Every scheme's headroom as a bar of its lines, over what ships and what was measured. */
export function SchemeBars({ answer, chosen, pointed, onPoint, onChoose, onShipped }: Props) {
  const { schemes, shipped, watermark, configured } = answer;
  const tables = useMemo(() => shipped?.tables ?? [], [shipped]);
  const axis = useMemo(() => {
    const ships = tables.flatMap((table) => shippedXoff(table) ?? []);
    const refits = Object.values(watermark?.schemes ?? {}).flatMap(({ headroom }) => headroom ?? []);
    return linearAxis(
      Math.max(
        ...Object.values(schemes).map(({ headroom }) => headroom),
        ...ships,
        ...refits,
        watermark?.bytes ?? 0,
        configured?.bytes ?? 0,
      ),
    );
  }, [schemes, tables, watermark, configured]);
  return (
    <section
      className={classes.chart}
      aria-label="Headroom by scheme"
      onPointerLeave={() => {
        onPoint(undefined);
      }}
    >
      <Legend
        parts={PARTS}
        present={new Set(Object.values(schemes).flatMap(({ lines }) => lines.map(({ part }) => part)))}
      />
      <div className={classes.rows}>
        <Axis end={axis.end} values={axis.values} />
        {Object.entries(schemes).map(([name, scheme]) => (
          <Bar
            key={name}
            name={name}
            scheme={scheme}
            end={axis.end}
            chosen={chosen === name}
            pointed={pointed?.scheme === name ? pointed.line : undefined}
            refit={watermark?.schemes[name]?.headroom ?? undefined}
            onPoint={onPoint}
            onChoose={onChoose}
          />
        ))}
        {tables.length > 0 && <ShippedMarks tables={tables} end={axis.end} onOpen={onShipped} />}
        <div className={classes.layer} aria-hidden="true">
          {watermark && <Level bytes={watermark.bytes} end={axis.end} name="measured" />}
          {configured && <Level bytes={configured.bytes} end={axis.end} name="configured" />}
        </div>
      </div>
    </section>
  );
}

const at = (share: number): CSSProperties => ({ left: `${share * 100}%` });

/** A size given by the person, across all bars. */
function Level({ bytes, end, name }: { bytes: number; end: number; name: string }) {
  return (
    <div className={classes.level} data-name={name} style={at(bytes / end)}>
      <span>
        {name} {formatQuantity(bytes, "B")}
      </span>
    </div>
  );
}

function Axis({ end, values }: { end: number; values: number[] }) {
  return (
    <div className={classes.layer} aria-hidden="true">
      {values.map((value) => (
        <div key={value} className={classes.tick} style={at(value / end)}>
          <span>{formatQuantity(value, "B", 2)}</span>
        </div>
      ))}
    </div>
  );
}

type BarProps = Pick<Props, "onPoint" | "onChoose"> & {
  name: string;
  scheme: SchemeAnswer;
  end: number;
  chosen: boolean;
  pointed: number | undefined;
  refit: number | undefined;
};

function Bar({ name, scheme, end, chosen, pointed, refit, onPoint, onChoose }: BarProps) {
  const parts = stacked(scheme.lines);
  const drawn = segments(
    parts.map(({ line }) => line.bytes),
    end,
  );
  const outside = scheme.outside !== "";
  const line = pointed === undefined ? undefined : scheme.lines[pointed];
  const place = drawn.find(({ index }) => parts[index]?.index === pointed);
  return (
    <div className={classes.row} data-chosen={chosen} data-outside={outside}>
      <button
        type="button"
        data-row
        className={classes.name}
        aria-pressed={chosen}
        aria-label={`${titleOf(scheme)}, ${formatQuantity(scheme.headroom, "B")}${outside ? ", outside validity" : ""}`}
        onClick={() => {
          onChoose(name);
        }}
      >
        {titleOf(scheme)}
      </button>
      <div className={classes.track}>
        {drawn.map(({ index, from, to }) => {
          const part = parts[index];
          return (
            part !== undefined && (
              <div
                key={index}
                className={classes.segment}
                data-part={part.line.part}
                data-pointed={part.index === pointed}
                style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                onPointerEnter={() => {
                  onPoint({ scheme: name, line: part.index });
                }}
                onClick={() => {
                  onChoose(name);
                }}
              />
            )
          );
        })}
        {refit !== undefined && (
          <div className={classes.refit} style={at(refit / end)} title={`refitted: ${formatQuantity(refit, "B")}`} />
        )}
        {line !== undefined && place !== undefined && (
          <div
            className={classes.tip}
            data-flip={place.from > 0.55}
            style={place.from > 0.55 ? { right: `${(1 - place.to) * 100}%` } : at(place.from)}
          >
            <b>
              {line.name} <span>{exactBytes(line.bytes)}</span>
            </b>
            <span>
              <Formula text={line.formula} />
            </span>
            <cite>{line.source}</cite>
          </div>
        )}
      </div>
      <p className={classes.total}>
        <b>{formatQuantity(scheme.headroom, "B")}</b>
        <span>
          {outside ? "outside validity" : scheme.per === undefined ? `${scheme.cells} cells` : `per ${scheme.per}`}
        </span>
      </p>
    </div>
  );
}
