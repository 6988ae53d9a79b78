import classes from "./map.module.css";
import { showField, type MapAxis } from "@/views/stability/lib/mapAxes";
import { nearestIndex, type Cells } from "@/views/stability/lib/mapCells";
import { formatQuantity } from "@/lib/quantity";
import { rateText } from "@/views/stability/lib/stabilityWords";

type Props = {
  map: { x: MapAxis; y: MapAxis; xs: number[]; ys: number[]; cells: Cells };
  chosen: [number, number] | undefined;
  onChoose: (x: number, y: number) => void;
};

/** The map's numbers, one row of it at a time. */
export function CellsTable({ map: { x, y, xs, ys, cells }, chosen, onChoose }: Props) {
  const row = nearestIndex(ys, chosen?.[1] ?? y.field.value);
  const column = nearestIndex(xs, chosen?.[0] ?? x.field.value);
  return (
    <div className={classes.cellsPanel}>
      <label className={classes.row}>
        {y.field.label}
        <select
          value={row}
          onChange={({ currentTarget }) => {
            onChoose(xs[column] ?? 0, ys[Number(currentTarget.value)] ?? 0);
          }}
        >
          {ys.map((value, i) => (
            <option key={i} value={i}>
              {showField(y.field, value)}
            </option>
          ))}
        </select>
      </label>
      <table className={classes.values}>
        <thead>
          <tr>
            <th scope="col">{x.field.label}</th>
            <th scope="col">Growth</th>
            <th scope="col">Queue</th>
            <th scope="col" style={{ textAlign: "left", paddingLeft: 8 }}>
              Verdict
            </th>
          </tr>
        </thead>
        <tbody>
          {xs.map((value, j) => {
            const cell = cells[row]?.[j];
            return (
              <tr key={value} data-chosen={chosen !== undefined && j === column}>
                <th scope="row">
                  <button
                    type="button"
                    onClick={() => {
                      onChoose(value, ys[row] ?? 0);
                    }}
                  >
                    {showField(x.field, value)}
                  </button>
                </th>
                <td>{cell === undefined ? "…" : cell.growth === null ? "–" : rateText(cell.growth)}</td>
                <td>{cell?.queue === null || cell === undefined ? "–" : formatQuantity(cell.queue, "B")}</td>
                <td>
                  {cell === undefined
                    ? ""
                    : cell.reason !== ""
                      ? cell.reason
                      : cell.stable === true
                        ? "stable"
                        : "unstable"}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
