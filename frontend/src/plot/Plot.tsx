import type { Config, PlotlyHTMLElement, PlotRelayoutEvent } from "plotly.js";
import { useEffect, useRef, useState } from "react";

import type { Figure } from "@/lib/figure";
import type { PlotText } from "@/lib/plotText";
import { loadPlotly } from "@/plot/load";

// Plotly's own mode bar can upload the figure to its makers' server: neither the button nor the bar is shown.
const config: Partial<Config> & { showSendToCloud: boolean } = {
  displayModeBar: false,
  displaylogo: false,
  showSendToCloud: false,
  scrollZoom: false,
  doubleClick: false,
  responsive: false,
};

type Props = {
  figure: Figure;
  /** The same in words, for those who do not see it. */
  text: PlotText;
  /** A range dragged on the shared axis. */
  onRange: (range: [number, number]) => void;
  /** A named annotation was clicked. */
  onName: (name: string) => void;
  onDrawn?: () => void;
};

/** Draws a figure with Plotly and says what the person does with it; nothing else. */
export function Plot({ figure, text, onRange, onName, onDrawn }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onRange, onName, onDrawn });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    handlers.current = { onRange, onName, onDrawn };
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let current = true;
    loadPlotly()
      .then(async (plotly) => {
        if (!current) return;
        const fresh = element.childElementCount === 0;
        await plotly.react(element, figure.data, figure.layout, config);
        if (fresh) listen(element as unknown as PlotlyHTMLElement, handlers);
        handlers.current.onDrawn?.();
      })
      .catch(() => {
        if (current) setFailed(true);
      });
    return () => {
      current = false;
    };
  }, [figure]);

  useEffect(() => {
    const element = box.current;
    return () => {
      if (element !== null && element.childElementCount > 0)
        void loadPlotly().then((plotly) => {
          plotly.purge(element);
        });
    };
  }, []);

  if (failed) return <p role="alert">The plotting library did not load. The values are in the table.</p>;
  return (
    <>
      <div ref={box} aria-hidden="true" />
      <Spoken text={text} />
    </>
  );
}

function Spoken({ text: { summary, columns = [], rows = [] } }: { text: PlotText }) {
  return (
    <div className="visually-hidden">
      <p>{summary}</p>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {columns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((value, j) => (
                  <td key={j}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

type Handlers = { current: Pick<Props, "onRange" | "onName"> };

function listen(element: PlotlyHTMLElement, handlers: Handlers) {
  element.on("plotly_relayout", (event: PlotRelayoutEvent) => {
    const [low, high] = [event["xaxis.range[0]"], event["xaxis.range[1]"]];
    if (low === undefined || high === undefined) return;
    // Plotly tells the ends of a logarithmic axis as logarithms.
    const { layout } = element as unknown as { layout: { xaxis?: { type?: string } } };
    handlers.current.onRange(layout.xaxis?.type === "log" ? [10 ** low, 10 ** high] : [low, high]);
  });
  element.on("plotly_clickannotation", ({ annotation }) => {
    const name = (annotation as { name?: string }).name;
    if (name !== undefined && name !== "") handlers.current.onName(name);
  });
}
