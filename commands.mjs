// How run.mjs runs commands: from the repository's root, in an environment of their own, and stopped when it is stopped.

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

export const ROOT = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

export const ENVIRONMENT = {
  ...process.env,
  UV_PYTHON_DOWNLOADS: "never",
  UV_PROJECT_ENVIRONMENT: join(ROOT, ".venv"),
};
// Some tools colour what they print in CI even where no terminal shows it.
if (!process.stdout.isTTY) ENVIRONMENT.NO_COLOR = "1";
// An activated environment elsewhere is not the one this repository works in.
delete ENVIRONMENT.VIRTUAL_ENV;

export class Failure extends Error {}

export const say = (text) => console.log(`footroom: ${text}`);

const children = new Set();
let stopping = false;
export const pass = (signal) => children.forEach((child) => child.kill(signal));
function stop(signal) {
  stopping = true;
  if (children.size === 0) process.exit(130);
  pass(signal);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
// npm ends without telling the command it runs: a server must not outlive it.
const parent = process.ppid;
const orphaned = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent;
setInterval(() => !stopping && orphaned() && stop("SIGTERM"), 500).unref();

/** Run a command and wait. With `keep`, its standard output is shown and returned as well. */
export function attempt(command, args, { cwd = ROOT, env = {}, keep = false } = {}) {
  return new Promise((resolve) => {
    const stdio = ["ignore", keep ? "pipe" : "inherit", "inherit"];
    const child = spawn(command, args, { cwd, env: { ...ENVIRONMENT, ...env }, stdio });
    children.add(child);
    const chunks = [];
    child.stdout?.on("data", (chunk) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    const end = (status) => {
      children.delete(child);
      if (stopping && children.size === 0) process.exit(130);
      resolve({ status, output: Buffer.concat(chunks).toString() });
    };
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      end(127);
    });
    child.on("close", (code, signal) => end(signal === null ? code : 128));
  });
}

/** Run a command that must succeed. */
export async function run(command, args, options) {
  const { status } = await attempt(command, args, options);
  if (status !== 0) throw new Failure(`failed with status ${status}: ${[command, ...args].join(" ")}`);
}

/** Run a command in silence; its trimmed output, or undefined if it failed or does not exist. */
export function ask(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", timeout: 60_000, env: ENVIRONMENT });
  return status === 0 ? stdout.trim() : undefined;
}
