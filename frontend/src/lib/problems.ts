/** What the API refuses, in the words of the form: labels for paths, plain sentences for a validator's words. */
import { label } from "@/lib/schema";

/** Parts of a path that add nothing to the field's own name. */
const silent = new Set(["topology", "switch", "run", "scenario"]);
const singular: Record<string, string> = {
  traffic: "Traffic class",
  policies: "Policy",
  ports: "Port",
  links: "Link",
  sizes: "Flow sizes",
};
const named: Record<string, string> = { sizes: "Flow sizes", kind: "Kind", flows: "Flows" };

/** A dotted path as a person calls the field: "traffic.0.sizes" is "Traffic class 1, flow sizes". */
export function pathLabel(path: string): string {
  const steps = path.split(".").filter((step) => step !== "");
  const words: string[] = [];
  steps.forEach((step, i) => {
    const last = i === steps.length - 1;
    if (/^\d+$/.test(step)) {
      const owner = singular[steps[i - 1] ?? ""] ?? label(steps[i - 1] ?? "entry");
      words.push(`${owner} ${Number(step) + 1}`);
    } else if (/^\d+$/.test(steps[i + 1] ?? "") || (silent.has(step) && !last)) {
      return;
    } else words.push(named[step] ?? label(step));
  });
  return words.map((word, i) => (i === 0 ? word : lower(word))).join(", ");
}

/** That an engine cannot answer is no fault of the scenario's. */
const UNABLE = "Engines that can answer:";

/**
 * What is wrong with the field at `path`, its entries, or, where it picks the kind of a part, with the part as a whole.
 */
export function problemAt(errors: ReadonlyMap<string, string>, path: string): string | undefined {
  const own = errors.get(path);
  if (own !== undefined) return own;
  const whole = path.endsWith(".kind") ? path.slice(0, -".kind".length) : undefined;
  for (const [at, message] of errors)
    if (
      (at === whole || /^\.\d+(\.|$)/.test(at.startsWith(path) ? at.slice(path.length) : "")) &&
      !message.includes(UNABLE)
    )
      return message;
  return undefined;
}

/** Problems of two answers, each field's first. */
export function joined<P extends { path: string }>(problems: readonly P[], more: readonly P[]): P[] {
  return [...problems, ...more].filter(({ path }, i, all) => all.findIndex((other) => other.path === path) === i);
}

/** The message without keys of the document and without the validator's own words. */
export function plainMessage(message: string, path = ""): string {
  const field = path.split(".").at(-1) ?? "";
  if (/^(this field is required|Field required)$/.test(message))
    return `Enter the ${lower(named[field] ?? label(field))}`;
  const missing = /^this field is required(:| where)(.*)$/.exec(message);
  if (missing !== null)
    return `Enter the ${lower(named[field] ?? label(field))}${missing[1] ?? ""}${plainText(missing[2] ?? "")}`;
  if (/^(unknown key\b.*|Extra inputs are not permitted)$/.test(message)) return "Unknown field";
  return plainText(
    message
      .replace(/^(?:Input should|must) be a (?:valid integer.*|whole number)$/, "enter a whole number")
      .replace(/^(?:Input should|must) be a (?:valid )?number.*$/, "enter a number")
      .replace(
        /^(?:Input should|must) be a valid (string|list|tuple|dictionary|boolean).*$/,
        (_, kind: string) => `enter ${kinds[kind] ?? "a value"}`,
      )
      .replace(/^(?:Input should|must) be less than or equal to /, "must be at most ")
      .replace(/^(?:Input should|must) be greater than or equal to /, "must be at least ")
      .replace(/^(?:Input should|must) be less than /, "must be below ")
      .replace(/^(?:Input should|must) be greater than /, "must be above ")
      .replace(/^(?:Input should|must) be (?=['\d])/, "choose ")
      .replace(/^Value error, /, "")
      // A field of the page takes a number with its unit only.
      .replace(/; expected an? [\w ]*such as (.*?), or a bare number in [^,;.]+$/, "; write $1")
      .replaceAll(/"(\d[^"]*)"/g, "$1"),
  );
}

/**
 * Why something was refused, as a sentence: without the field's path and the list of engines, which stand elsewhere.
 */
export function refusalWords(message: string): string {
  const said = plainMessage(message.replace(/^[\w.]+: /, "").replace(/\.?\s*Engines that can answer:.*$/s, ""));
  return said === "" ? "" : `${said.charAt(0).toUpperCase()}${said.slice(1).replace(/\.$/, "")}.`;
}

const kinds: Record<string, string> = {
  string: "text",
  list: "a list",
  tuple: "a list",
  dictionary: "an object",
  boolean: "yes or no",
};

/** Text of the models with dotted keys and names with underscores as words: "run.mtu" is "MTU". */
export function plainText(text: string): string {
  return text
    .replaceAll(/\bswitch switch\b/g, "the switch") // a star's only switch has no other name
    .replace(
      /\b(?:run|switch|switches|topology|traffic|host|congestion|marking|sharing|scheduling|headroom)(?:\.[a-z0-9_]+)+/g,
      // A sentence that names a field of a control says which control it means.
      (path) => lower(pathLabel(path.replace(/^congestion\./, ""))),
    )
    .replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => lower(label(name)));
}

/** The same as a sentence of its own: a capital first, a full stop last. */
export function plainSentence(text: string): string {
  const plain = plainText(text);
  return plain.charAt(0).toUpperCase() + plain.slice(1).replace(/\.?$/, ".");
}

/** Lower case unless it is an acronym or a symbol. */
const lower = (text: string) =>
  /^([A-Z]([A-Z ]|$)|[KP](min|max)\b)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
