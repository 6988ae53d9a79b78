import { memo } from "react";

import classes from "./map.module.css";
import { zeroLine } from "@/views/stability/lib/border";
import { colourOf, share, type Growth } from "@/lib/diverging";
import { borderGrid, sketched, type Cells } from "@/views/stability/lib/mapCells";
import type { Side } from "@/views/stability/lib/mapScene";
import type { Scheme } from "@/lib/palette";

type Props = { cells: Cells; across: Side; up: Side; growth: Growth; scheme: Scheme };

/** The coloured cells and the line between growth and decay; drawn anew only when they change. */
export const CellLayer = memo(function CellLayer({ cells, across, up, growth, scheme }: Props) {
  const filled = sketched(cells);
  if (filled === undefined) return null;
  const { rows, columns } = borderGrid(cells);
  const line = zeroLine(
    columns.map((j) => across.places[j] ?? 0),
    rows.map((i) => up.places[i] ?? 0),
    rows.map((i) => columns.map((j) => cells[i]?.[j]?.growth)),
  );
  const path = line
    .map(([x0, y0, x1, y1]) => `M${x0.toFixed(1)} ${y0.toFixed(1)}L${x1.toFixed(1)} ${y1.toFixed(1)}`)
    .join("");
  return (
    <g className={classes.cells}>
      <g shapeRendering="crispEdges">
        {filled.map((row, i) => {
          const [low = 0, high = 0] = [up.edges[i], up.edges[i + 1]];
          return row.map((cell, j) => {
            const [left = 0, right = 0] = [across.edges[j], across.edges[j + 1]];
            const place = { x: left, y: Math.min(low, high), width: right - left, height: Math.abs(high - low) };
            if (cell.growth === null || cell.reason !== "") return <rect key={j} {...place} fill="url(#no-rest)" />;
            return <rect key={j} {...place} fill={colourOf(share(cell.growth, growth), scheme)} />;
          });
        })}
      </g>
      <path className={classes.halo} d={path} />
      <path className={classes.border} d={path} />
    </g>
  );
});
