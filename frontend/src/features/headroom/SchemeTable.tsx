import { Fragment } from "react";

import { Configured, Measured } from "./Judged";
import { stacked, titleOf, type Pointed } from "./types";
import classes from "./table.module.css";
import type { HeadroomAnswer, SchemeAnswer } from "@/api/headroom";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { Formula, FormulaLine } from "@/ui/Formula";
import { plainText } from "@/lib/problems";

type Props = {
  answer: HeadroomAnswer;
  name: string;
  scheme: SchemeAnswer;
  pointed: Pointed;
  onPoint: (pointed: Pointed) => void;
};

/** One scheme to the byte: its lines with formula and source, what it sets aside, its assumptions. */
export function SchemeTable({ answer, name, scheme, pointed, onPoint }: Props) {
  const { lines, headroom, cells, xon, size, size_lines: sizeLines, per } = scheme;
  const sources = [...new Set(lines.map(({ source }) => source))];
  return (
    <article className={classes.panel} aria-label={titleOf(scheme)}>
      <div className={classes.parts}>
        <div>
          <h2 className={classes.title}>{titleOf(scheme)}</h2>
          <p className={classes.value} data-outside={scheme.outside !== ""}>
            <b>{formatQuantity(headroom, "B")}</b>
            <span>
              {exactBytes(headroom)} in {cells} cells of {answer.inputs.cell_size} B per {per ?? "priority group"}
            </span>
          </p>
          {scheme.outside !== "" && (
            <p className={classes.text}>
              <b>Outside validity:</b> {plainText(scheme.outside)}.
            </p>
          )}
          <FormulaLine text={scheme.formula} />
          <table
            className={classes.lines}
            onPointerLeave={() => {
              onPoint(undefined);
            }}
          >
            <caption className="visually-hidden">Lines of the headroom</caption>
            <tbody>
              {stacked(lines).map(({ line, index }) => (
                <tr
                  key={index}
                  data-pointed={pointed?.scheme === name && pointed.line === index}
                  title={line.source}
                  onPointerEnter={() => {
                    onPoint({ scheme: name, line: index });
                  }}
                >
                  <th scope="row">
                    <span className={classes.swatch} data-part={line.part} />
                    {line.name}
                    <sup>{sources.indexOf(line.source) + 1}</sup>
                    <small>
                      <Formula text={line.formula} />
                    </small>
                  </th>
                  <td>{exactBytes(line.bytes)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Headroom (xoff)</th>
                <td>{exactBytes(headroom)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
        <div>
          <h3 className={classes.part}>Sources</h3>
          <ol className={classes.sources}>
            {sources.map((source) => (
              <li key={source}>{source}</li>
            ))}
          </ol>
          {(xon > 0 || typeof size === "number") && (
            <dl className={classes.facts}>
              {xon > 0 && <Fact name="xon" value={exactBytes(xon)} />}
              {typeof size === "number" && (
                <Fact
                  name="size, set aside per group"
                  value={exactBytes(size)}
                  note={sizeLines?.map((line) => `${line.name} ${exactBytes(line.bytes)}`).join(" + ")}
                />
              )}
            </dl>
          )}
          <Configured answer={answer} name={name} />
          <Measured answer={answer} name={name} />
          {scheme.notes.length > 0 && (
            <ul className={classes.notes}>
              {scheme.notes.map((note) => (
                <li key={note}>{plainText(note)}</li>
              ))}
            </ul>
          )}
          <h3 className={classes.part}>Where it holds</h3>
          <p className={classes.text}>{plainText(scheme.holds)}</p>
          <h3 className={classes.part}>Caveats</h3>
          <p className={classes.text}>{plainText(scheme.departures)}</p>
          <Parameters scheme={scheme} />
        </div>
      </div>
    </article>
  );
}

function Fact({ name, value, note = "" }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== "" && <small>{note}</small>}
      </dd>
    </div>
  );
}

const origins: Record<string, string> = { given: "as given", chip: "from the chip", default: "" };

function Parameters({ scheme: { parameters } }: { scheme: SchemeAnswer }) {
  return (
    <details className={classes.parameters}>
      <summary>Parameters used</summary>
      <dl className={classes.facts}>
        {parameters
          .filter(({ value }) => value !== null)
          .map(({ name, value, unit, from }) => (
            <Fragment key={name}>
              <Fact
                name={name.replaceAll("_", " ")}
                value={
                  typeof value === "number"
                    ? name.endsWith("mtu")
                      ? exactBytes(value)
                      : formatQuantity(value, unit)
                    : String(value)
                }
                note={origins[from]}
              />
            </Fragment>
          ))}
      </dl>
    </details>
  );
}
