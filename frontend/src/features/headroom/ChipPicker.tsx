import classes from "./chip.module.css";
import type { Asic } from "@/api/headroom";
import { formatQuantity } from "@/lib/quantity";

type Props = {
  asics: Asic[];
  chosen: string | undefined;
  /** What the API says of the choice. */
  problem: string | undefined;
  onPick: (asic: string | undefined) => void;
};

/** The switch chip, with what is known of it and how surely. */
export function ChipPicker({ asics, chosen, problem, onPick }: Props) {
  const asic = asics.find(({ id }) => id === chosen);
  const vendors = [...new Set(asics.map(({ vendor }) => vendor))];
  return (
    <div className={classes.picker}>
      <label htmlFor="field-asic">Switch chip</label>
      <select
        id="field-asic"
        className={classes.select}
        value={chosen ?? ""}
        aria-invalid={problem !== undefined}
        aria-describedby="field-asic-about"
        onChange={({ currentTarget }) => {
          onPick(currentTarget.value === "" ? undefined : currentTarget.value);
        }}
      >
        <option value="">No chip: cells of 208 B</option>
        {chosen !== undefined && asic === undefined && <option value={chosen}>{chosen}</option>}
        {vendors.map((vendor) => (
          <optgroup key={vendor} label={vendor}>
            {asics
              .filter((one) => one.vendor === vendor)
              .map(({ id, name, capacity, buffer_usable: usable, buffer_nominal: nominal }) => (
                <option key={id} value={id}>
                  {[name, capacity === null ? "" : formatQuantity(capacity, "bit/s"), memory(usable ?? nominal)]
                    .filter((part) => part !== "")
                    .join(", ")}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <div id="field-asic-about" className={problem === undefined ? undefined : classes.error}>
        {problem ?? (asic !== undefined && <About asic={asic} />)}
      </div>
    </div>
  );
}

const memory = (bytes: number | null) => (bytes === null ? "" : formatQuantity(bytes, "B"));

function About({ asic }: { asic: Asic }) {
  const {
    buffer_usable: usable,
    buffer_nominal: nominal,
    cell,
    ports,
    external_memory: outside,
    confidence,
    unsure,
    source,
    note,
  } = asic;
  const doubt = (name: string) => (unsure.includes(name) ? " (unsure)" : "");
  const facts = [
    usable === null
      ? nominal === null
        ? "memory not known"
        : `${memory(nominal)} nominal${doubt("buffer_nominal")}`
      : `${memory(usable)} usable${doubt("buffer_usable")}`,
    cell === null ? "cell not known" : `cells of ${cell} B${doubt("cell")}`,
    ports,
    outside === "" || outside === "none" ? "" : `external: ${outside}`,
  ];
  return (
    <>
      <p className={classes.facts}>{facts.filter((fact) => fact !== "").join(" · ")}</p>
      <details className={classes.source}>
        <summary>
          <span className={classes.confidence} data-confidence={confidence}>
            {confidence}
          </span>
          source
        </summary>
        <p>{source}</p>
        {note !== "" && <p>{note}</p>}
      </details>
    </>
  );
}
