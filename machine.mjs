// What this machine has, and what can be had on it: Debian packages, a browser, a free port.

import { createServer } from "node:net";

import { ask, attempt, Failure, say } from "./commands.mjs";

/** Whether this is a run of continuous integration. */
export const CI = process.env.CI !== undefined && process.env.CI !== "" && process.env.CI !== "false";

let indexUpdated = false;

/** Install Debian packages where that needs nobody's password; false where it cannot be done. */
export async function aptInstall(...packages) {
  if (ask("apt-get", ["--version"]) === undefined) return false;
  const root = process.getuid?.() === 0;
  // A developer's own machine is not changed by way of sudo.
  if (!root && !(CI && ask("sudo", ["-n", "true"]) !== undefined)) return false;
  const apt = (...args) => {
    const words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
    return root ? attempt("env", words.slice(1)) : attempt("sudo", ["-n", ...words]);
  };
  say(`installing ${packages.join(", ")} with apt-get`);
  if (!indexUpdated) await apt("update");
  indexUpdated = true;
  return (await apt("install", "-y", "--no-install-recommends", ...packages)).status === 0;
}

/** A Chromium for the browser tests: FOOTROOM_CHROMIUM, one on the path, or Debian's. */
export async function findChromium() {
  const chosen = process.env.FOOTROOM_CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const candidates = chosen ? [chosen] : [...names, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
  const works = (candidate) => ask(candidate, ["--version"]) !== undefined;
  const path = (candidate) => ask("which", [candidate]) ?? candidate;
  let found = candidates.find(works);
  if (!found && !chosen && (await aptInstall("chromium", "fonts-dejavu-core"))) found = candidates.find(works);
  if (found) return path(found);
  throw new Failure(`no Chromium among ${candidates.join(", ")}; install one or set FOOTROOM_CHROMIUM.`);
}

/** The first free port of this machine from `first` on. */
export function freePort(first) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", () => {
      if (first < 65_535) freePort(first + 1).then(resolve, reject);
      else reject(new Failure("no port is free"));
    });
    server.listen(first, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
