import classes from "./scenario.module.css";
import { useInvalidFields } from "@/form/invalid";
import type { Derived } from "@/lib/derived";
import { grouped, significant } from "@/lib/number";
import { fieldText, formatQuantity } from "@/lib/quantity";

/** A memory given in powers of two is shown so. */
const asWritten = (bytes: number) =>
  / .iB$/.test(fieldText(bytes, "B")) ? fieldText(bytes, "B") : formatQuantity(bytes, "B");

/** Live read-outs below the form. */
export function Derivations({ derived }: { derived: Derived }) {
  const { bdp, mtu, drainTime, buffer, queueBuffer } = derived;
  // Of the last valid values, as everything else on the page.
  const stale = useInvalidFields().length > 0;
  const entries: [string, string, string][] = [];
  if (bdp !== undefined)
    entries.push(["BDP", formatQuantity(bdp, "B"), mtu === undefined ? "" : `${grouped(bdp / mtu)} packets`]);
  if (buffer !== undefined)
    entries.push(["Buffer", asWritten(buffer), mtu === undefined ? "" : `${grouped(buffer / mtu)} packets`]);
  if (queueBuffer !== undefined && buffer !== undefined && queueBuffer < buffer * 0.999)
    entries.push([
      "One queue",
      formatQuantity(queueBuffer, "B"),
      mtu === undefined ? "" : `${grouped(queueBuffer / mtu)} packets`,
    ]);
  if (drainTime !== undefined) {
    entries.push([
      "Drain time",
      formatQuantity(drainTime, "s"),
      bdp === undefined || buffer === undefined ? "" : `${significant(buffer / bdp)} BDP`,
    ]);
  }
  return (
    <dl className={classes.derived} data-stale={stale} aria-label="Derived from the scenario">
      {entries.map(([name, value, also]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {also !== "" && <span>{also}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
