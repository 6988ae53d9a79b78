import { Link } from "@tanstack/react-router";
import { useState } from "react";

import classes from "./compare.module.css";
import { SLOTS, type Slot } from "@/lib/compare";
import { choiceLabel, label } from "@/lib/schema";
import { formatQuantity } from "@/lib/quantity";
import { flatten, getPath, type Json, type JsonObject } from "@/lib/path";
import { pathOf } from "@/lib/views";
import { useKeptComparison } from "@/state/useComparison";

/** Keeps the scenario for the comparison, and leads there once there is something to compare. */
export function AddToCompare({ slot }: { slot: Slot }) {
  const { query, slots, add } = useKeptComparison();
  const [added, setAdded] = useState(false);
  return (
    <span className={classes.compare}>
      <button
        type="button"
        className={classes.pin}
        title="Compare this scenario with up to two others"
        onClick={() => {
          add(slot);
          setAdded(true);
        }}
        onBlur={() => {
          setAdded(false);
        }}
      >
        Add to compare
      </button>
      <span role="status">{added && `Added as ${(SLOTS[slots.length - 1] ?? "").toUpperCase()}`}</span>
      {slots.length > 0 && (
        <Link to={pathOf("compare")} search={{ query }} className={classes.pin}>
          Compare {slots.length}
        </Link>
      )}
    </span>
  );
}

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
      <button
        type="button"
        className={classes.pin}
        onClick={onPin}
        title="Keep these curves as A and compare your edits (B) with them"
      >
        Pin as baseline
      </button>
    );
  }
  const differences = changes(pinned, scenario);
  return (
    <div className={classes.compare} role="group" aria-label="Comparison">
      <span className={classes.a}>A</span>
      <span className={classes.b}>B</span>
      <span className={classes.list} title={differences.map((one) => sentence(one)).join("\n")}>
        {differences.length === 0
          ? "no difference yet"
          : differences
              .slice(0, 2)
              .map((one) => sentence(one))
              .join(", ")}
        {differences.length > 2 && ` and ${differences.length - 2} more`}
      </span>
      <button type="button" className={classes.pin} onClick={onUnpin}>
        Clear baseline
      </button>
    </div>
  );
}

type Change = { path: string; a: Json | undefined; b: Json | undefined };

/** Every leaf that differs; a missing one means the default. */
export function changes(a: JsonObject, b: JsonObject): Change[] {
  const paths = new Set(
    [...flatten(a), ...flatten(b)].map(([path]) => path).filter((path) => !/(^|\.)name$/.test(path)),
  );
  return [...paths]
    .map((path) => ({ path, a: getPath(a, path), b: getPath(b, path) }))
    .filter((change) => JSON.stringify(change.a) !== JSON.stringify(change.b));
}

const text = (value: Json | undefined, unit: string) =>
  value === undefined
    ? "default"
    : value === null || value === ""
      ? "not set"
      : typeof value === "string"
        ? choiceLabel(value)
        : typeof value === "number" && unit !== "" && unit !== "1"
          ? formatQuantity(value, unit)
          : typeof value === "boolean"
            ? value
              ? "yes"
              : "no"
            : JSON.stringify(value);

/** A kind is called by what it is the kind of. */
function called(path: string): string {
  const parts = path.split(".").filter((part) => !/^\d+$/.test(part));
  const last = parts[parts.length - 1] ?? path;
  return label(last === "kind" ? (parts[parts.length - 2] ?? last) : last);
}

/** `units`: of bare numbers, by the name of the field; what was typed has its own. */
export const sentence = ({ path, a, b }: Change, units: ReadonlyMap<string, string> = new Map()) => {
  const unit = units.get(path.split(".").at(-1) ?? "") ?? "";
  return `${called(path)} ${text(a, unit)} → ${text(b, unit)}`;
};
