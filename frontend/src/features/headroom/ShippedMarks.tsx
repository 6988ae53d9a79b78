import { useMemo, useState } from "react";

import classes from "./bars.module.css";
import { isDoubtful, shippedXoff } from "./shipped";
import type { ShippedTable } from "@/api/headroom";
import { lanes } from "@/lib/bars";
import { formatQuantity } from "@/lib/quantity";

type Props = { tables: ShippedTable[]; end: number; onOpen: () => void };

const LANES = 3;
const GAP = 0.012;

/**
 * Where shipped tables lie on the axis: a filled mark is a row of the table, a hollow one lies on the line between
 * two.
 */
export function ShippedMarks({ tables, end, onOpen }: Props) {
  const [over, setOver] = useState<number>();
  const marks = useMemo(() => {
    const found = tables.flatMap((table) => {
      const xoff = shippedXoff(table);
      return xoff === undefined ? [] : [{ table, xoff, exact: table.exact !== null, doubtful: isDoubtful(table) }];
    });
    const lane = lanes(
      found.map(({ xoff }) => xoff / end),
      GAP,
      LANES,
    );
    return found.map((mark, i) => ({ ...mark, lane: lane[i] ?? 0 }));
  }, [tables, end]);
  const shown = over === undefined ? undefined : marks[over];
  return (
    <div
      className={classes.row}
      onPointerLeave={() => {
        setOver(undefined);
      }}
    >
      <button type="button" className={classes.name} onClick={onOpen} aria-label={`Shipped tables, ${marks.length}`}>
        Shipped tables
      </button>
      <div className={classes.track} data-marks="true">
        {marks.map(({ table, xoff, exact, doubtful, lane }, i) => (
          <div
            key={`${table.table}${table.sku}`}
            className={classes.mark}
            data-exact={exact}
            data-doubtful={doubtful}
            style={{ left: `${(xoff / end) * 100}%`, top: 4 + lane * 9 }}
            onPointerEnter={() => {
              setOver(i);
            }}
            onClick={onOpen}
          />
        ))}
        {shown !== undefined && (
          <div
            className={classes.tip}
            data-flip={shown.xoff / end > 0.55}
            style={
              shown.xoff / end > 0.55
                ? { right: `${(1 - shown.xoff / end) * 100}%` }
                : { left: `${(shown.xoff / end) * 100}%` }
            }
          >
            <b>
              {shown.table.chip} <span>{formatQuantity(shown.xoff, "B")}</span>
            </b>
            <span>
              {shown.table.sku}
              {shown.table.skus > 1 && ` and ${shown.table.skus - 1} more`}
            </span>
            <span>
              {shown.exact
                ? `row of ${formatQuantity(shown.table.exact?.cable ?? 0, "m")}`
                : (shown.table.law?.formula ?? "")}
            </span>
            {shown.doubtful && <span>{shown.table.quality}</span>}
            <cite>{shown.table.source}</cite>
          </div>
        )}
      </div>
      <p className={classes.total}>
        <span>
          {marks.length} {marks.length === 1 ? "table" : "tables"}
        </span>
      </p>
    </div>
  );
}
