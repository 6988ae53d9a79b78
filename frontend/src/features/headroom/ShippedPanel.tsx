import classes from "./table.module.css";
import type { HeadroomAnswer, ShippedTable } from "@/api/headroom";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { Formula } from "@/ui/Formula";

/** What ships for this link, table by table: the row itself, its neighbours, and the law through them. */
export function ShippedPanel({ answer: { shipped, inputs } }: { answer: HeadroomAnswer }) {
  const tables = shipped?.tables ?? [];
  if (tables.length === 0)
    return (
      <p className={classes.empty}>
        No shipped table {inputs.asic === null ? "has this speed" : `of ${inputs.asic} is known`}.
      </p>
    );
  return (
    <div className={classes.panel}>
      <p className={classes.text}>
        Headroom as SONiC ships it in pg_profile_lookup.ini,{" "}
        {shipped?.chip === null ? "for every chip that has this speed" : `for ${shipped?.chip ?? ""}`},{" "}
        {formatQuantity(inputs.speed, "bit/s")} and {formatQuantity(inputs.cable, "m")}.
      </p>
      {tables.map((table) => (
        <Table key={`${table.table}${table.sku}`} table={table} />
      ))}
    </div>
  );
}

function Table({ table }: { table: ShippedTable }) {
  const { chip, sku, skus, cell, exact, below, above, law, formula, quality, note, source } = table;
  const rows = [below, exact, above].filter((row) => row !== null);
  return (
    <div className={classes.table} role="group" aria-label={`${chip}, ${sku}`}>
      <h3>
        {chip}, {sku}
        {skus > 1 && ` and ${skus - 1} more`}
      </h3>
      <dl className={classes.facts}>
        {rows.map((row) => (
          <div key={row.cable}>
            <dt>
              {row === exact ? (
                <b>{formatQuantity(row.cable, "m")}, the row for this link</b>
              ) : (
                formatQuantity(row.cable, "m")
              )}
              {row.repeats && ` (same value as ${row.repeats})`}
            </dt>
            <dd>{exactBytes(row.xoff)}</dd>
          </div>
        ))}
        {law !== null && !law.note && (
          <div>
            <dt>
              {law.extrapolated ? "Extrapolated from" : "Interpolated between"}{" "}
              {law.between.map((length) => formatQuantity(length, "m")).join(" and ")}
              <small>
                <Formula text={law.formula} />; {law.inflation.toFixed(2)} times the bytes on the wire
              </small>
            </dt>
            <dd>{exactBytes(Math.round(law.xoff))}</dd>
          </div>
        )}
        {formula !== null && (
          <div>
            <dt>SONiC's formula with this table's parameters{formula.halved && ", halved for a shared pool"}</dt>
            <dd>{exactBytes(formula.xoff)}</dd>
          </div>
        )}
      </dl>
      {[law?.note, note, quality === "asic" ? "" : quality].filter(Boolean).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        {cell === null ? "" : `Cells of ${cell} B. `}
        {source}
      </p>
    </div>
  );
}
