import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { forms } from "@/contract/forms";
import { documentCodec } from "@/lib/document";
import { ecnCommand } from "@/lib/ecn";
import { emulateCommand } from "@/lib/emulation";
import { flags } from "@/lib/flags";
import { formOf } from "@/lib/forms";
import type { JsonObject } from "@/lib/path";
import { fieldsOf, namesOf } from "@/lib/schema";
import { commandLine, option, quoted } from "@/lib/shell";
import { command, curl, literal, posted } from "@/lib/snippets";

const root = forms;
const form = (operation: string) => formOf(root, operation);

const FIXED = [
  "",
  " ",
  "'",
  "''",
  "'\\''",
  '"',
  "\\",
  "\\'",
  "$(touch PWNED)",
  "`touch PWNED`",
  "x;touch PWNED;#",
  "'; touch PWNED; '",
  "$HOME",
  "${IFS}",
  "~",
  "~root",
  "#",
  "=ls",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a b",
  "!!",
  "!x",
  "&",
  "|",
  ">PWNED",
  "<x",
  "%1",
  "--json",
  "-",
  "--",
  "-e",
  "a=b",
  "é×µ",
  "\ud83d\ude00",
  "\ud800",
  "a\\",
  "__proto__",
  "constructor",
];

/** A repeatable stream of hostile texts: characters that shells, quotes and terminals act on. */
function* hostile(count: number): Generator<string> {
  yield* FIXED;
  const characters = Array.from(
    "'\"\\`$(){}[]<>|&;#!~*?=%-+@,./: abcPWNED\t\n\r\u0000\u0003\u001b\u007f\u0085\u2028\u00a0é×",
  );
  let state = 12345;
  const below = (most: number) => (state = (state * 48271) % 2147483647) % most;
  for (let i = 0; i < count; i++)
    yield Array.from({ length: 1 + below(12) }, () => characters[below(characters.length)]).join("");
}

const texts = [...hostile(300)];
const clean = (text: string) =>
  // eslint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])/g, "\ufffd");

const shells = ["sh", "bash", "dash", "zsh"].filter((shell) => {
  try {
    return execFileSync(shell, ["-c", "echo yes"]).toString() === "yes\n";
  } catch {
    return false;
  }
});

/** The words that `footroom` and `curl` are called with, one list a call. Nothing else may be started. */
function calls(shell: string, lines: string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), "footroom-shell-"));
  try {
    const told = ["footroom", "curl"].map((name) => `${name}() { printf '%s\\0' "$@"; printf '\\001'; }`).join("\n");
    const out = execFileSync(shell, ["-s"], {
      cwd: folder,
      input: `${told}\n${lines.join("")}`,
      stdio: ["pipe", "pipe", "pipe"],
    }).toString();
    expect(readdirSync(folder)).toEqual([]);
    return out
      .split("\u0001")
      .slice(0, -1)
      .map((words) => words.split("\0").slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(shells)("%s takes every word as it was", (shell) => {
  const lines = texts.map((text) => commandLine("footroom", quoted(text), option("--name", text)));
  const expected = texts
    .map(clean)
    .map((text) => [text, ...(text.startsWith("-") ? [`--name=${text}`] : ["--name", text])]);
  expect(calls(shell, lines)).toEqual(expected);
});

/** A document as an address may bring it: any name, any value, at any place. */
const hostileDocument = (text: string, name: string, names: string[]): JsonObject =>
  documentCodec.decode(
    new URLSearchParams([
      [text, "1"],
      [`${name}.${text}`, text],
      [names[0] ?? "", text],
      [names[1] ?? "", "1e400"],
    ]).toString(),
  );

const dashed = (name: string) => `--${name.replaceAll("_", "-")}`;

/** The words that are neither an option of the form nor the one value of such an option. */
function strangers(words: string[], fields: JsonObject): string[] {
  const known = new Set(["--set", "--policy", "--trace"]);
  for (const { name, schema } of fieldsOf(fields, root, new Set())) {
    known.add(dashed(name));
    for (const inner of schema === undefined ? [] : namesOf(schema)) known.add(dashed(`${name}_${inner}`));
  }
  const strange: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [name = "", value] = words[i]?.split(/=(.*)/s) ?? [];
    if (!known.has(name)) strange.push(words[i] ?? "");
    else if (value === undefined && words[++i]?.startsWith("-") !== false) strange.push(words[i] ?? "");
  }
  return strange;
}

test.each(shells)("in %s no address makes a builder of commands start or add anything", (shell) => {
  const builders: [string, string, (document: JsonObject) => string][] = [
    [
      "computeHeadroom",
      "scheme",
      (document) => commandLine("footroom headroom", ...flags(document, form("computeHeadroom"), root)),
    ],
    ["assessPool", "scheme", (document) => commandLine("footroom pool", ...flags(document, form("assessPool"), root))],
    [
      "assessPool",
      "marking",
      (document) =>
        commandLine(
          "footroom pool",
          ...flags({ ...document, scheme: { kind: "sonic", ...document } }, form("assessPool"), root),
        ),
    ],
    ["computeEcn", "congestion", (document) => ecnCommand(document, form("computeEcn"), root)],
    ["emulate", "page", (document) => emulateCommand(document, "a'b;c.csv", form("emulate"), root)],
    [
      "emulate",
      "page",
      (document) => emulateCommand({ policies: [document, "';touch PWNED;'"] }, "-x", form("emulate"), root),
    ],
  ];
  for (const [operation, part, build] of builders) {
    const fields = form(operation);
    const lines = texts.map((text) => build(hostileDocument(text, part, namesOf(fields))));
    const found = calls(shell, lines);
    expect(found).toHaveLength(texts.length);
    for (const [, ...words] of found) expect(strangers(words, fields)).toEqual([]);
  }
});

test.each(shells)("in %s a sweep and its request are one call with the text as it was", (shell) => {
  const lines = texts.flatMap((text) => {
    const question = {
      scenario: { name: text, [text]: text },
      over: { "switch.buffer": text, [text]: "1" },
      engines: ["packet", text],
      replicas: 3,
    };
    return [command(question), curl(question, "http://x"), posted(`http://x/${text}`, { [text]: text })];
  });
  const found = calls(shell, lines);
  expect(found).toHaveLength(3 * texts.length);
  for (const [i, text] of texts.entries()) {
    expect(found[3 * i]?.slice(0, 2)).toEqual(["sweep", "scenario.json"]);
    expect(found[3 * i]).toContain(`switch.buffer=${clean(text)}`);
    expect(JSON.parse(found[3 * i + 1]?.at(-1) ?? "")).toMatchObject({ over: { "switch.buffer": text } });
    expect(JSON.parse(found[3 * i + 2]?.at(-1) ?? "")).toEqual(JSON.parse(JSON.stringify({ [text]: text })));
  }
});

const python = ["python3", "python"].find((name) => {
  try {
    return execFileSync(name, ["-c", "print('yes')"]).toString() === "yes\n";
  } catch {
    return false;
  }
});

test.skipIf(python === undefined)("a Python literal is the text and nothing else", () => {
  const program = "import ast, json, sys; print(json.dumps([ast.literal_eval(line) for line in json.load(sys.stdin)]))";
  const values = texts.map((text) => ({ [text]: [text, null, true, 1.5] }));
  const out = execFileSync(python ?? "", ["-c", program], {
    input: JSON.stringify(values.map((value) => literal(value))),
  }).toString();
  expect(JSON.parse(out)).toEqual(values);
  expect(literal({ x: Infinity })).toBe('{"x": float("Infinity")}');
});
