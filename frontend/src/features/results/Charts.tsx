import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState, type PointerEvent } from "react";

import { Crosshair } from "./Crosshair";
import { Readout } from "./Readout";
import type { Transfer } from "./TransferChooser";
import classes from "./results.module.css";
import { buildFigure, type FigureInput } from "@/lib/figure";
import { geometryOf, xValue } from "@/lib/geometry";
import { palettes } from "@/lib/palette";
import { buffersOf } from "@/lib/points";
import { chartsText } from "@/lib/plotText";
import { Plot } from "@/plot/Plot";

export type ChartsInput = Omit<FigureInput, "geometry" | "palette" | "print" | "range">;

type Props = {
  input: ChartsInput;
  /** The swept range, shown unless a part of it was dragged out. */
  full: [number, number];
  chosen: number | undefined;
  third: string;
  thirdChoices: string[];
  transfer: Transfer;
  onThird: (id: string) => void;
  onChoose: (buffer: number) => void;
  onRule: (name: string) => void;
};

const MIN_HEIGHT = 470;

/** Three plots over one buffer axis, with a cross-hair that reads all of them. */
export function Charts({ input, full, chosen, third, thirdChoices, transfer, onThird, onChoose, onRule }: Props) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const [zoom, setZoom] = useState<{ full: [number, number]; range: [number, number] }>();
  const [hover, setHover] = useState<number>();
  const [pressed, setPressed] = useState<number>();
  // A zoom belongs to the sweep it was made in.
  const range = zoom?.full.every((end, i) => end === full[i]) === true ? zoom.range : full;
  const geometry = useMemo(() => geometryOf(width, Math.max(height, MIN_HEIGHT)), [width, height]);
  const figure = useMemo(
    () => buildFigure({ ...input, range, geometry, palette: palettes[scheme], print: false }),
    [input, range, geometry, scheme],
  );
  const text = useMemo(
    () => chartsText(input.points, input.engines, input.quantities),
    [input.points, input.engines, input.quantities],
  );
  const sizes = useMemo(
    () => buffersOf(input.points).filter((size) => size >= range[0] * 0.999 && size <= range[1] * 1.001),
    [input.points, range],
  );
  const at = hover ?? chosen;

  const under = (event: PointerEvent<HTMLElement>) => {
    const value = xValue(event.clientX - event.currentTarget.getBoundingClientRect().left, range, geometry);
    return value === undefined ? undefined : closest(sizes, value);
  };
  const inPlots = (event: PointerEvent<HTMLElement>) => {
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    const [first] = geometry.plots;
    return first !== undefined && y >= first.top && y <= geometry.height;
  };

  return (
    <div
      ref={ref}
      className={classes.charts}
      onPointerMove={(event) => {
        setHover(under(event));
      }}
      onPointerLeave={() => {
        setHover(undefined);
      }}
      onPointerDown={(event) => {
        setPressed(event.clientX);
      }}
      onPointerUp={(event) => {
        // A drag zooms; only a click on the spot chooses.
        const size = under(event);
        const still = pressed !== undefined && Math.abs(event.clientX - pressed) < 4;
        if (still && size !== undefined && inPlots(event) && !isControl(event.target)) onChoose(size);
        setPressed(undefined);
      }}
    >
      {width > 0 && (
        <>
          <Plot
            figure={figure}
            text={text}
            onRange={(next) => {
              setZoom({ full, range: next });
            }}
            onName={onRule}
          />
          {input.quantities.map((quantity, i) => (
            <Readout
              key={i}
              quantity={quantity}
              box={geometry.plots[i] ?? { top: 0, height: 0 }}
              geometry={geometry}
              input={input}
              at={at}
            >
              {i === 2 && thirdChoices.length > 1
                ? { value: third, choices: thirdChoices, transfer, onChange: onThird }
                : undefined}
            </Readout>
          ))}
          <Crosshair
            at={at}
            hovering={hover !== undefined}
            sizes={sizes}
            range={range}
            geometry={geometry}
            input={input}
            onMove={setHover}
            onChoose={onChoose}
          />
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

/** What is clicked for itself, not for the size under it. */
const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest("select, label, button") !== null;

/** The size nearest to a value, by ratio. */
function closest(sizes: number[], value: number): number | undefined {
  return sizes.reduce<number | undefined>(
    (best, size) =>
      best === undefined || Math.abs(Math.log(size / value)) < Math.abs(Math.log(best / value)) ? size : best,
    undefined,
  );
}
