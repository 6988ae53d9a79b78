/** Headroom by every scheme as one picture: bars of their lines, what ships and what was measured. */
import type { Data } from "plotly.js";

import { shippedXoff } from "./shipped";
import { PARTS, titleOf } from "./types";
import type { HeadroomAnswer } from "@/api/headroom";
import type { Figure } from "@/lib/figure";
import type { Palette } from "@/lib/palette";
import { formatQuantity } from "@/lib/quantity";
import { quantityTicks } from "@/lib/ticks";

const SHIPPED = "Shipped tables";
const [WIDTH, ROW, AROUND] = [900, 44, 150];

/** colourOf: of a part, as on the page. */
export function headroomFigure(answer: HeadroomAnswer, palette: Palette, colourOf: (part: string) => string): Figure {
  const schemes = Object.values(answer.schemes);
  const names = schemes.map(titleOf);
  const opacity = schemes.map(({ outside }) => (outside === "" ? 1 : 0.4));
  const bars = Object.entries(PARTS).flatMap(([part, name]): Data[] => {
    const sums = schemes.map(({ lines }) =>
      lines.reduce((sum, line) => sum + (line.part === part ? line.bytes : 0), 0),
    );
    return sums.every((sum) => sum === 0)
      ? []
      : [{ type: "bar", orientation: "h", name, x: sums, y: names, marker: { color: colourOf(part), opacity } }];
  });
  const shipped = (answer.shipped?.tables ?? []).flatMap((table) => shippedXoff(table) ?? []);
  const dots: Data[] =
    shipped.length === 0
      ? []
      : [
          {
            type: "scatter",
            mode: "markers",
            showlegend: false,
            x: shipped,
            y: shipped.map(() => SHIPPED),
            marker: { color: palette.ink, size: 6, opacity: 0.6 },
          },
        ];
  const levels = [
    ...(answer.configured ? [{ name: "configured", bytes: answer.configured.bytes }] : []),
    ...(answer.watermark ? [{ name: "measured", bytes: answer.watermark.bytes }] : []),
  ];
  const most = Math.max(...schemes.map(({ headroom }) => headroom), ...shipped, ...levels.map(({ bytes }) => bytes));
  const end = most * 1.16; // room for the totals
  const ticks = quantityTicks(0, end, "B", 6);
  const { speed, cable } = answer.inputs;
  return {
    data: [...bars, ...dots],
    layout: {
      width: WIDTH,
      height: AROUND + ROW * (names.length + (dots.length > 0 ? 1 : 0)),
      barmode: "stack",
      title: {
        text: `Headroom for ${formatQuantity(speed, "bit/s")} over ${formatQuantity(cable, "m")}`,
        font: { size: 16, color: palette.ink },
      },
      font: { family: "Helvetica, Arial, sans-serif", size: 12, color: palette.ink },
      paper_bgcolor: palette.paper,
      plot_bgcolor: palette.paper,
      margin: { l: 225, r: 20, t: 50, b: 80 },
      legend: { orientation: "h", y: -0.18, traceorder: "normal" },
      xaxis: {
        range: [0, end],
        tickvals: ticks.values,
        ticktext: ticks.labels,
        gridcolor: palette.grid,
        zeroline: false,
      },
      yaxis: { autorange: "reversed", ticksuffix: " " },
      shapes: levels.map(({ bytes }) => ({
        type: "line",
        x0: bytes,
        x1: bytes,
        y0: 0,
        y1: 1,
        yref: "paper",
        line: { color: palette.bad, width: 1.5, dash: "dash" },
      })),
      annotations: [
        ...schemes.map((scheme) => ({
          x: scheme.headroom,
          y: titleOf(scheme),
          text: `${scheme.outside === "" ? "" : "! "}${formatQuantity(scheme.headroom, "B")}`,
          showarrow: false,
          xanchor: "left" as const,
          xshift: 6,
          bgcolor: palette.paper,
        })),
        ...levels.map(({ name, bytes }) => ({
          x: bytes,
          y: 1,
          yref: "paper" as const,
          yanchor: "bottom" as const,
          text: `${name} ${formatQuantity(bytes, "B")}`,
          showarrow: false,
          font: { color: palette.bad },
        })),
      ],
    },
  };
}
