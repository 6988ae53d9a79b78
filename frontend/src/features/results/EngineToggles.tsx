import classes from "./results.module.css";
import { EngineMark } from "@/plot/EngineMark";

type Props = { engines: { engine: string; title: string }[]; shown: string[]; onChange: (engines: string[]) => void };

/** The legend, which also shows and hides engines. */
export function EngineToggles({ engines, shown, onChange }: Props) {
  return (
    <fieldset className={classes.engines} aria-label="Engines shown">
      {engines.map(({ engine, title }) => (
        <label key={engine} className={classes.engine} title={title}>
          <input
            type="checkbox"
            checked={shown.includes(engine)}
            onChange={(event) => {
              const rest = shown.filter((name) => name !== engine);
              onChange(event.currentTarget.checked ? [...rest, engine] : rest);
            }}
          />
          <EngineMark engine={engine} />
          {engine}
        </label>
      ))}
    </fieldset>
  );
}
