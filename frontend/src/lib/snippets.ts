/** The same question for a terminal, a script and a notebook. */
import { isObject, type Json, type JsonObject } from "@/lib/path";

export type Question = { scenario: JsonObject; over: Record<string, string>; engines: string[]; replicas: number };

/** Python that asks the same and prints every value. */
export function python({ scenario, over, engines, replicas }: Question): string {
  const many = replicas > 1 ? `, replicas=${replicas}` : "";
  return [
    "import footroom as fr",
    "",
    `scenario = ${literal(scenario)}`,
    `study = fr.sweep(scenario, over=${literal(over, 0, true)}, engines=${literal(engines)}${many})`,
    "print(study.to_frame())",
    "",
  ].join("\n");
}

/** A Python literal; `flat` keeps it on one line. */
export function literal(value: Json, depth = 0, flat = false): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
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
  const { scenario, over, engines, replicas } = question;
  const instant = engines.every((engine) => engine === "theory" || engine === "fluid");
  const body = { scenario, over, engines, ...(instant ? {} : { replicas }) };
  return posted(`${origin}/api/v1/${instant ? "estimates" : "studies"}`, body);
}

/** A curl command that posts a document. */
export function posted(target: string, body: JsonObject): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -sS '${target}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'\n`;
}

/** The same through the command line, the scenario on standard input being a file of its own. */
export function command({ over, engines, replicas }: Question): string {
  const swept = Object.entries(over).map(([path, values]) => `--over ${path}=${values}`);
  const many = replicas > 1 ? [`--replicas ${replicas}`] : [];
  return ["footroom sweep scenario.json", ...swept, `--engine ${engines.join(",")}`, ...many].join(" ") + "\n";
}
