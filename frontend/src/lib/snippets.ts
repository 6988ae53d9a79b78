/** The same question for a terminal, a script and a notebook. */
import { isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldText } from "@/lib/quantity";
import { commandLine, option, quoted } from "@/lib/shell";

export type Question = {
  scenario: JsonObject;
  over: Record<string, string>;
  engines: string[];
  replicas: number;
  scale?: number;
};

/**
 * Only packets are made smaller on the page; what is taken elsewhere asks for them alone, since a factor holds for all
 * engines.
 */
const asked = ({ engines, scale }: Question) => (scale === undefined ? engines : ["packet"]);

/** Python that asks the same and prints every value. */
export function python(question: Question): string {
  const { scenario, over, replicas, scale } = question;
  const scaled = scale === undefined ? "" : `, scale=${scale}`;
  const many = replicas > 1 ? `, replicas=${replicas}` : "";
  return [
    "import footroom as fr",
    "",
    `scenario = ${literal(scenario)}`,
    `study = fr.sweep(scenario, over=${literal(over, 0, true)}, engines=${literal(asked(question))}${many}${scaled})`,
    "print(study.to_frame())",
    "",
  ].join("\n");
}

/** A Python literal; `flat` keeps it on one line. */
export function literal(value: Json, depth = 0, flat = false): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  // JSON has no infinity, yet "1e400" in an address is read as one.
  if (typeof value === "number" && !Number.isFinite(value)) return `float("${value}")`;
  if (typeof value !== "object") return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const items = isObject(value)
    ? Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${literal(item, depth + 1, flat)}`)
    : value.map((item) => literal(item, depth + 1, flat));
  const line = `${open}${items.join(", ")}${close}`;
  const indent = "    ".repeat(depth + 1);
  if (flat || (!line.includes("\n") && indent.length + line.length <= 100)) return line;
  return `${open}\n${items.map((item) => `${indent}${item},\n`).join("")}${"    ".repeat(depth)}${close}`;
}

/** A curl command: estimates when only theory and fluid are asked, else a study. */
export function curl(question: Question, origin: string): string {
  const { scenario, over, replicas, scale } = question;
  const engines = asked(question);
  const instant = engines.every((engine) => engine === "theory" || engine === "fluid");
  const body = { scenario, over, engines, ...(instant ? {} : { replicas }), ...(scale === undefined ? {} : { scale }) };
  return posted(`${origin}/api/v1/${instant ? "estimates" : "studies"}`, body);
}

/** A curl command that posts a document. */
export function posted(target: string, body: JsonObject): string {
  return `curl -sS ${quoted(target)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(json(body))}\n`;
}

/** JSON whose text has no control characters; what `JSON.stringify` leaves as it is becomes an escape. */
const json = (body: JsonObject) =>
  JSON.stringify(body).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The same through the command line, the scenario on standard input being a file of its own. */
export function command(question: Question): string {
  const { over, replicas, scale } = question;
  const swept = Object.entries(over).map(([path, values]) => option("--over", `${path}=${values}`));
  const many = replicas > 1 ? [option("--replicas", String(replicas))] : [];
  const smaller = scale === undefined ? [] : [option("--scale", String(scale))];
  return commandLine(
    "footroom sweep scenario.json",
    ...swept,
    option("--engine", asked(question).join(",")),
    ...many,
    ...smaller,
  );
}

/** The command that solves for the smallest buffer, between two sizes when they are known. */
export function sizeCommand(question: {
  scenario: string;
  require: string[];
  engine: string;
  replicas: number;
  between?: [number, number];
}): string {
  const { scenario, require, engine, replicas, between } = question;
  const many = replicas > 1 ? [option("--replicas", String(replicas))] : [];
  const ends =
    between === undefined
      ? []
      : [option("--between", between.map((size) => fieldText(size, "B").replace(" ", "")).join(":"))];
  return commandLine(
    "footroom size",
    quoted(scenario),
    ...require.map((text) => option("--require", text)),
    option("--engine", engine),
    ...many,
    ...ends,
  ).trim();
}
