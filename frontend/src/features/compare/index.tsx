import classes from "./compare.module.css";
import { label } from "@/lib/schema";
import { flatten, getPath, type Json, type JsonObject } from "@/lib/path";

type Props = {
  scenario: JsonObject;
  pinned: JsonObject | undefined;
  onPin: () => void;
  onUnpin: () => void;
};

/** Pins the scenario as baseline A; later edits are B, and the differences are listed. */
export function Compare({ scenario, pinned, onPin, onUnpin }: Props) {
  if (pinned === undefined) {
    return (
      <button type="button" className={classes.pin} onClick={onPin} title="Keep these curves as A and compare your edits (B) with them">
        Pin as baseline
      </button>
    );
  }
  const differences = changes(pinned, scenario);
  return (
    <div className={classes.compare} role="group" aria-label="Comparison">
      <span className={classes.a}>A</span>
      <span className={classes.b}>B</span>
      <span className={classes.list} title={differences.map(sentence).join("\n")}>
        {differences.length === 0 ? "no difference yet" : differences.slice(0, 2).map(sentence).join(", ")}
        {differences.length > 2 && ` and ${differences.length - 2} more`}
      </span>
      <button type="button" className={classes.pin} onClick={onUnpin}>
        Clear baseline
      </button>
    </div>
  );
}

type Change = { path: string; a: Json | undefined; b: Json | undefined };

/** Every leaf that differs; a missing one stands for the default. */
export function changes(a: JsonObject, b: JsonObject): Change[] {
  const paths = new Set([...flatten(a), ...flatten(b)].map(([path]) => path).filter((path) => path !== "name"));
  return [...paths]
    .map((path) => ({ path, a: getPath(a, path), b: getPath(b, path) }))
    .filter((change) => JSON.stringify(change.a) !== JSON.stringify(change.b));
}

const text = (value: Json | undefined) => (value === undefined ? "default" : typeof value === "string" ? value : JSON.stringify(value));

const sentence = ({ path, a, b }: Change) => `${label(path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path)} ${text(a)} → ${text(b)}`;
