import classes from "./presets.module.css";
import type { PresetSummary } from "@/api/queries";
import { plainText } from "@/lib/problems";

/** What the list shows of a preset. */
export type PresetChoice = Pick<PresetSummary, "id" | "title"> & Partial<PresetSummary>;

type Props = {
  presets: PresetChoice[];
  chosen: string;
  /** The scenario differs from the preset. */
  edited: boolean;
  onPick: (preset: string) => void;
};

/** Entry in the list for a scenario that is not a preset's. */
export const elsewhere = (name: string): PresetChoice => ({
  id: name,
  title: name,
  question: "A scenario of a published experiment. Change a field to see the effect; Papers shows the original run.",
});

/** The scenarios to start from. */
export function PresetPicker({ presets, chosen, edited, onPick }: Props) {
  const current = presets.find(({ id }) => id === chosen);
  return (
    <div className={classes.presets}>
      <div className={classes.head}>
        <label htmlFor="preset">Scenario</label>
        {edited && (
          <button
            type="button"
            className={classes.reset}
            onClick={() => {
              onPick(chosen);
            }}
          >
            Undo changes
          </button>
        )}
      </div>
      <select
        id="preset"
        className={classes.select}
        value={chosen}
        onChange={(event) => {
          onPick(event.currentTarget.value);
        }}
      >
        {current === undefined && <option value={chosen}>{chosen}</option>}
        {presets.map(({ id, title, heavy }) => (
          <option key={id} value={id}>
            {heavy === true ? `${title} (takes minutes)` : title}
          </option>
        ))}
      </select>
      {current?.question !== undefined && (
        // The preset's question may no longer match the fields.
        <p className={classes.question}>{edited ? "Changed below." : current.question}</p>
      )}
      {current !== undefined && <About key={current.id} preset={current} />}
    </div>
  );
}

/** What is in a preset, why, and where its numbers come from. */
function About({ preset: { about, source, notes } }: { preset: PresetChoice }) {
  const parts = [about ?? "", ...(notes ?? [])].filter((part) => part !== "");
  if (parts.length === 0) return null;
  return (
    <details className={classes.about}>
      <summary>About this scenario</summary>
      {parts.map((part) => (
        <p key={part}>{plainText(part)}</p>
      ))}
      {source !== undefined && source !== "" && (
        <p>
          <cite>{source}</cite>
        </p>
      )}
    </details>
  );
}
