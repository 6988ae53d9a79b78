import type { Help } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { showNumber, showValue } from "@/lib/values";
import { pathLabel, plainText } from "@/lib/problems";
import { aboutField, choiceLabel } from "@/lib/schema";

/** What the focused field means, where its default comes from, and what it accepts. */
export function HelpLine({ help, hint }: { help: Help | null; hint: string }) {
  if (help === null)
    return (
      <p className={classes.help} data-form>
        {hint}
      </p>
    );
  const { field, path } = help;
  const facts = [boundsOf(help), standardOf(help)].filter((fact) => fact !== "");
  return (
    // A long text scrolls, by the keyboard too.
    <p className={classes.help} data-form tabIndex={0}>
      <b>{pathLabel(path)}</b> {plainText(aboutField(field))}{" "}
      {facts.length > 0 && <span>{capital(facts.join(", "))}.</span>}{" "}
      {field.source !== "" && <cite>{field.source}</cite>}
    </p>
  );
}

function boundsOf({ field }: Help): string {
  const { bounds } = field;
  const show = (value: number) => showNumber(field, value);
  const low =
    bounds.gt !== undefined ? `above ${show(bounds.gt)}` : bounds.ge !== undefined ? `from ${show(bounds.ge)}` : "";
  const high =
    bounds.lt !== undefined ? `below ${show(bounds.lt)}` : bounds.le !== undefined ? `to ${show(bounds.le)}` : "";
  return [low, high].filter((part) => part !== "").join(" ");
}

function standardOf({ field }: Help): string {
  if (field.default === undefined || field.type === "component" || field.type === "group") return "";
  if (field.default === null) return "";
  if (typeof field.default === "string" && field.type === "choice") return `default ${choiceLabel(field.default)}`;
  return `default ${showValue(field, field.default)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
