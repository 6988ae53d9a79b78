import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";

import { CurveMark } from "./CurveMark";
import controls from "./controls.module.css";
import classes from "./figure.module.css";
import { download } from "@/lib/browser";
import { palettes } from "@/lib/palette";
import { figureCsv, looksOf, paperFigure, printedLook, type PaperFigure } from "@/views/papers/lib/paperFigure";
import { Plot } from "@/plot/Plot";
import { ColumnsTable } from "@/ui/ColumnsTable";

const nothing = () => {};

type Props = {
  figure: PaperFigure;
  /** What its files are called. */
  name: string;
};

/** A figure in the paper's form, with its values. */
export function FigureCard({ figure, name: file }: Props) {
  const { ref, width, height } = useElementSize();
  const scheme = useComputedColorScheme("light");
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const drawn = useMemo(
    () => paperFigure(figure, width, height, palettes[scheme], scheme, hidden),
    [figure, width, height, scheme, hidden],
  );
  const text = useMemo(() => {
    const curves = [...figure.series, ...figure.published].map(({ name, x }) => `${name}, ${x.length} points`);
    return {
      summary: `${figure.title}. Curves: ${curves.join("; ")}. Their values are behind the button Show the values.`,
    };
  }, [figure]);
  const [values, setValues] = useState(false);
  const looks = useMemo(
    () =>
      looksOf(
        figure.series.map(({ name }) => name),
        scheme,
      ),
    [figure, scheme],
  );
  const curves = [
    ...figure.series.map(({ name }, i) => ({
      name,
      mark: looks[i] !== undefined && <CurveMark kind={figure.kind} look={looks[i]} />,
    })),
    ...figure.published.map(({ name }, i) => ({ name, mark: <span aria-hidden="true">{printedLook(i).glyph}</span> })),
  ];
  return (
    <article className={classes.figure} aria-label={figure.title}>
      <h2>{figure.title}</h2>
      <p>
        <cite>{figure.source}</cite>
      </p>
      {curves.length > 1 && (
        <fieldset className={classes.legend} aria-label="Curves shown">
          {curves.map(({ name, mark }) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={!hidden.has(name)}
                onChange={({ currentTarget }) => {
                  const rest = [...hidden].filter((one) => one !== name);
                  setHidden(new Set(currentTarget.checked ? rest : [...rest, name]));
                }}
              />
              {mark}
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {figure.series.length > 0 && (
        <div ref={ref} className={classes.plot}>
          {width > 0 && <Plot figure={drawn} text={text} onRange={nothing} onName={nothing} />}
        </div>
      )}
      {figure.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {figure.series.length > 0 && (
        <div className={classes.take}>
          <button
            type="button"
            className={controls.link}
            aria-expanded={values}
            onClick={() => {
              setValues(!values);
            }}
          >
            {values ? "Hide the values" : "Show the values"}
          </button>
          <button
            type="button"
            className={controls.link}
            onClick={() => {
              download(`${file}.csv`, figureCsv(figure), "text/csv");
            }}
          >
            CSV
          </button>
          <button
            type="button"
            className={controls.link}
            onClick={() => {
              download(`${file}.json`, `${JSON.stringify(figure, null, 1)}\n`, "application/json");
            }}
          >
            JSON
          </button>
        </div>
      )}
      {values && <Values figure={figure} />}
    </article>
  );
}

function Values({ figure: { series: ours, published, x, y } }: { figure: PaperFigure }) {
  const series = [...ours, ...published];
  const [index, setIndex] = useState(0);
  const one = series[index] ?? series[0];
  if (one === undefined) return null;
  const named = typeof one.x[0] === "string";
  const column = (title: string, values: number[]) => ({ title, unit: y.unit, values });
  return (
    <div className={classes.values} tabIndex={0} role="group" aria-label="Values">
      {series.length > 1 && (
        <select
          className={controls.select}
          aria-label="Curve"
          value={index}
          onChange={({ currentTarget }) => {
            setIndex(Number(currentTarget.value));
          }}
        >
          {series.map(({ name }, i) => (
            <option key={name} value={i}>
              {name}
            </option>
          ))}
        </select>
      )}
      <ColumnsTable
        label={one.name}
        rows={{ title: x.title === "" ? "x" : x.title, unit: named ? "" : x.unit, values: one.x }}
        columns={[
          column(y.title, one.y),
          ...(one.low.length > 0 ? [column("from", one.low), column("to", one.high)] : []),
        ]}
      />
    </div>
  );
}
