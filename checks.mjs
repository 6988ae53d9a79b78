// Linters and type checks of `npm run check`.

import { attempt, say } from "./commands.mjs";

/**
 * All of them, whether or not an earlier one fails. fix: mend what they can mend. tool, script: give the path of a
 * command of Python and of the page; page: its folder. last: more checks, of what both halves make of each other.
 */
export async function checkAll(fix, { tool, script, page }, last) {
  const inRoot =
    (command, ...args) =>
    () =>
      attempt(tool(command), args);
  const inPage =
    (command, ...args) =>
    () =>
      attempt(script(command), args, { cwd: page });
  const ofPython = {
    ruff: inRoot("ruff", "check", ...(fix ? ["--fix"] : [])),
    "ruff format": inRoot("ruff", "format", "--quiet", ...(fix ? [] : ["--check"])),
    mypy: inRoot("mypy"),
    "import-linter": inRoot("lint-imports", "--no-logo"),
  };
  const ofPage = {
    prettier: inPage("prettier", fix ? "--write" : "--check", "--log-level", "warn", "."),
    eslint: inPage("eslint", ".", ...(fix ? ["--fix"] : [])),
    tsc: inPage("tsc", "--project", "tsconfig.json"),
    "tsc of the tools": inPage("tsc", "--project", "tsconfig.node.json"),
  };
  const failed = [];
  const each = async (checks) => {
    for (const [name, perform] of Object.entries(checks)) {
      say(`check: ${name}`);
      const { status } = await perform().catch((error) => {
        console.error(error.message);
        return { status: 1 };
      });
      if (status !== 0) failed.push(name);
    }
  };
  await Promise.all([each(ofPython), each(ofPage)]);
  await each(last);
  return { status: failed.length === 0 ? 0 : 1, note: failed.length === 0 ? "" : `failed: ${failed.join(", ")}` };
}
