// Every npm script of the repository ends here: `node run.mjs setup|start|dev|check|generate|pictures|docs|package|test|coverage|fuzz`.
// It needs Node and Python and nothing else, and does again only what its inputs' hashes say has changed.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";

import { checkAll } from "./checks.mjs";
import { ask, attempt, ENVIRONMENT, Failure, pass, ROOT, run, say } from "./commands.mjs";
import { formsOf } from "./frontend/forms.mjs";
import { MANIFEST, manifestOf, stale } from "./frontend/pictures/pictures.mjs";
import { aptInstall, CI, findChromium, freePort } from "./machine.mjs";

const FRONTEND = join(ROOT, "frontend");
// What follows from the API's description of itself: the types of the page, and the schemas of its forms.
const GENERATED = ["schema.gen.ts", "forms.gen.json"].map((name) => join(FRONTEND, "src", "contract", name));
const STAMPS = join(ROOT, ".footroom", "stamps");
const BIN = join(ROOT, ".venv", "bin");
const PYTHON = join(BIN, "python");

const NODE_NEEDED = [20, 19];
const PYTHON_NEEDED = "at least 3.11 and below 3.15";
const PYTHON_CHECK = "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))";
const UV_PINNED = "0.13.8";
const UV_OLDEST = [0, 9];

const npm = (args) => run("npm", args, { cwd: FRONTEND });
const tool = (name) => join(BIN, name);
const script = (name) => join(FRONTEND, "node_modules", ".bin", name);

/** Is version `text` ("0.13.8") at or above `needed` ([0, 9])? */
function reaches(text, needed) {
  const [major, minor] = text.split(".").map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "__pycache__")
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** Do `work` unless it was done for the same inputs before and all it made is still there. */
async function step(name, inputs, products, work) {
  const hash = createHash("sha256").update(process.version);
  for (const file of inputs.flatMap((input) => filesUnder(join(ROOT, input)))) {
    hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  }
  const digest = hash.digest("hex");
  const stamp = join(STAMPS, name);
  const before = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (before === digest && products.every((product) => existsSync(product))) return;
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, digest);
}

// ---------------------------------------------------------------------------------------------------------- set-up

/** A Python that runs: shims of version managers exist for versions that are not installed, so each is tried. */
function findPython() {
  const names = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
  const candidates = process.env.FOOTROOM_PYTHON ? [process.env.FOOTROOM_PYTHON] : names;
  const found = candidates.find((candidate) => ask(candidate, ["-c", PYTHON_CHECK]) !== undefined);
  if (found) return found;
  throw new Failure(`no Python ${PYTHON_NEEDED} among ${candidates.join(", ")}; set FOOTROOM_PYTHON to one.`);
}

/** The command of a uv that is recent enough, or undefined. */
function findUv() {
  return ["uv", tool("uv")].find((candidate) => {
    const version = ask(candidate, ["--version"])?.split(" ")[1];
    return version !== undefined && reaches(version, UV_OLDEST);
  });
}

async function makeEnvironment() {
  let uv = findUv();
  if (ask(PYTHON, ["-c", PYTHON_CHECK]) === undefined) {
    const python = findPython();
    say(`making .venv with ${python}`);
    rmSync(join(ROOT, ".venv"), { recursive: true, force: true });
    if (uv === tool("uv")) uv = undefined;
    if (uv) await run(uv, ["venv", "--quiet", "--python", python, ".venv"]);
    else {
      // Debian keeps ensurepip, which venv needs, in a package of its own.
      const complete = ask(python, ["-c", "import ensurepip"]) !== undefined || (await aptInstall("python3-venv"));
      if (!complete) throw new Failure(`${python} cannot make environments; install uv or python3-venv.`);
      await run(python, ["-m", "venv", ".venv"]);
    }
  }
  if (!uv) {
    await run(PYTHON, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `uv==${UV_PINNED}`]);
    uv = tool("uv");
  }
  say("installing the Python packages of uv.lock");
  // Bytecode is compiled now, and that of our own packages below: where Python may not write it later, every start
  // would compile all imports anew.  Inexact: uv itself and what a user added for notebooks stay.
  const how = ["--quiet", "--compile-bytecode", "--locked", "--inexact"];
  await run(uv, ["sync", ...how, "--extra", "dev", "--python", PYTHON]);
}

async function setup({ build = true } = {}) {
  if (process.platform === "win32") {
    throw new Failure("Footroom runs on Linux and macOS. On Windows, run it inside WSL.");
  }
  if (!reaches(process.versions.node, NODE_NEEDED)) {
    throw new Failure(`Node ${NODE_NEEDED.join(".")} or newer is needed; this is ${process.versions.node}.`);
  }
  await step("python", ["uv.lock", "pyproject.toml"], [PYTHON, tool("footroom")], makeEnvironment);
  const packages = ["frontend/package.json", "frontend/package-lock.json", "frontend/.npmrc"];
  await step("node", packages, [join(FRONTEND, "node_modules", ".package-lock.json")], async () => {
    say("installing the frontend's packages of package-lock.json");
    await npm(["ci", "--loglevel", "error"]);
  });
  if (build) {
    const names = ["index.html", "api-reference.html", "vite.config.ts", "vite.views.ts"];
    const configuration = names.map((name) => `frontend/${name}`);
    const sources = [...packages, ...configuration, "frontend/src", "frontend/public"];
    await step("frontend", sources, [join(FRONTEND, "dist", "index.html")], async () => {
      say("building the page");
      await run(script("vite"), ["build", "--logLevel", "warn"], { cwd: FRONTEND });
    });
  }
  await step("bytecode", ["uv.lock", "models", "backend"], [], () =>
    run(PYTHON, ["-m", "compileall", "-q", "models", "backend"]),
  );
  await step("kernels", ["uv.lock", "models/footroom"], [], async () => {
    say("compiling the simulator (once per version)");
    await run(PYTHON, ["-m", "footroom.engines.packet.warm"]);
  });
}

// -------------------------------------------------------------------------------------------------- system packages

const CONTAINER_TOOLS = ["podman", "runc", "mmdebstrap"];

// ------------------------------------------------------------------------------------------------- serve and develop

async function start(args) {
  await setup();
  const chosen = args.some((word) => word.split("=")[0] === "--port");
  // The server itself looks for a free port: two that start at one moment would be told the same one.
  const port = chosen ? [] : ["--port", "8000", "--first-free"];
  // The server says where it is once it answers.
  return (await attempt(tool("footroom"), ["serve", ...args, ...port])).status;
}

async function dev() {
  await setup({ build: false });
  const port = await freePort(8000);
  const reload = ["--reload", "--reload-dir", "backend", "--reload-dir", "models"];
  const api = ["-m", "uvicorn", "footroom_api.app:create_app", "--factory", ...reload, "--port", String(port)];
  const env = { FOOTROOM_API: `http://127.0.0.1:${port}` };
  const page = attempt(script("vite"), ["--clearScreen", "false"], { cwd: FRONTEND, env });
  const both = [attempt(PYTHON, api), page];
  const first = await Promise.race(both);
  pass("SIGTERM");
  await Promise.all(both);
  return first.status;
}

// -------------------------------------------------------------------------------------- generate, check and test

/** Write the page's types and the schemas of its forms from the API's own description of itself. */
async function generate([types, forms] = GENERATED) {
  const described = spawnSync(PYTHON, ["-m", "footroom_api.openapi"], {
    env: ENVIRONMENT,
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (described.status !== 0) throw new Failure("the API cannot describe itself");
  const description = join(ROOT, ".footroom", "openapi.json");
  writeFileSync(description, described.stdout);
  await run(script("openapi-typescript"), [description, "--output", types]);
  writeFileSync(forms, `${JSON.stringify(formsOf(JSON.parse(described.stdout)), null, 1)}\n`);
}

/** Does what is committed still follow from the API? */
async function checkGenerated() {
  const fresh = GENERATED.map((file) => join(ROOT, ".footroom", basename(file)));
  await generate(fresh);
  const stale = GENERATED.filter((file, i) => !existsSync(file) || !readFileSync(file).equals(readFileSync(fresh[i])));
  for (const file of stale) {
    console.error(`${file.slice(ROOT.length + 1)} does not follow from the API: npm run generate`);
  }
  return { status: stale.length === 0 ? 0 : 1 };
}

/** Was every picture of README and docs drawn with the sources as they are? */
function checkPictures() {
  const found = stale(ROOT);
  for (const sentence of found) console.error(`${sentence}: npm run pictures, and look at them`);
  return Promise.resolve({ status: found.length === 0 ? 0 : 1 });
}

/** Draw the pictures of README and docs again, all or those named: `npm run pictures -- sharing`. */
async function pictures(args) {
  await setup();
  const named = args.length > 0 ? ["--grep", args.join("|")] : [];
  const { status } = await browser(["--config", "playwright.pictures.config.ts", ...named]);
  if (status !== 0) return status;
  const place = join(ROOT, MANIFEST);
  const before = existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
  const drawn = Object.entries(manifestOf(ROOT)).filter(
    ([file]) => args.length === 0 || args.some((word) => file.includes(word)),
  );
  writeFileSync(place, `${JSON.stringify({ ...before, ...Object.fromEntries(drawn) }, null, 1)}\n`);
  say("look at the pictures in docs/images before you commit them");
  return 0;
}

/** A wheel with the page inside, in the folder `dist`. */
async function packageWheel() {
  await setup();
  await run(findUv(), ["build", "--quiet", "--wheel", "--out-dir", "dist"]);
  const [wheel] = readdirSync(join(ROOT, "dist")).filter((name) => name.endsWith(".whl"));
  say(`dist/${wheel}: pip install 'dist/${wheel}[server]', then footroom serve`);
}

/** The site of the documents, with every notebook run, in the folder `dist/docs`. */
async function buildSite() {
  await setup({ build: false });
  const env = { FOOTROOM_NOTEBOOKS: "run", NO_MKDOCS_2_WARNING: "1" };
  const folders = ["--config-file", "website/mkdocs.yml", "--site-dir", join(ROOT, "dist", "docs")];
  // Not --quiet: warnings that are not logged are not counted, and --strict then accepts every broken link.
  await run(tool("mkdocs"), ["build", "--strict", ...folders], { env });
  say("dist/docs: python3 -m http.server --directory dist/docs");
}

const check = (args = []) => {
  const last = { "generated types": checkGenerated, pictures: checkPictures };
  return checkAll(args.includes("--fix"), { tool, script, page: FRONTEND }, last);
};

async function python(args) {
  // Without them, the test of the container says that it was skipped.
  const missing = CONTAINER_TOOLS.filter((name) => ask("which", [name]) === undefined);
  if (CI && args.length === 0 && missing.length > 0) await aptInstall(...missing);
  const workers = String(Math.min(availableParallelism(), 4));
  const words = ["-m", "pytest", "-n", workers, ...(process.stdout.isTTY ? ["--color=yes"] : []), ...args];
  const { status, output } = await attempt(PYTHON, words, { keep: true });
  const closing =
    output
      .trimEnd()
      .split("\n")
      .findLast((line) => / in \d[\d.]*s/.test(line)) ?? "";
  return { status, closing };
}

const unit = (args) => attempt(script("vitest"), ["run", ...args], { cwd: FRONTEND });

async function browser(args, more = {}) {
  const env = { ...more, FOOTROOM_CHROMIUM: await findChromium(), FOOTROOM_PORT: String(await freePort(8100)) };
  return attempt(script("playwright"), ["test", ...args], { cwd: FRONTEND, env });
}

/** Which statements no test reaches. A run of all tests writes what it found into CONTRIBUTING.md, with its date. */
async function coverage(args) {
  const report = join(ROOT, ".footroom", "coverage.json");
  rmSync(report, { force: true });
  const status = await test(["python", ...args, "--cov", "--cov-report=term", `--cov-report=json:${report}`]);
  if (!existsSync(report)) return status;
  const { totals } = JSON.parse(readFileSync(report, "utf8"));
  const [ran, all] = [totals.covered_lines + totals.covered_branches, totals.num_statements + totals.num_branches];
  const found = `${((100 * ran) / all).toFixed(1)} % of ${all} statements and branches`;
  say(`coverage: ${found}`);
  // Of a part of the tests, or of tests that failed, the figure says nothing about the whole.
  if (args.length > 0 || status !== 0) return status;
  const page = join(ROOT, "CONTRIBUTING.md");
  const today = new Date().toISOString().slice(0, 10);
  const sentence = `\`npm run coverage\`, ${today}: the tests reach ${found} of what runs as Python.`;
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(/(<!-- coverage -->\n).*/, (_, mark) => mark + sentence),
  );
  say("CONTRIBUTING.md has the figure now");
  return status;
}

/**
 * Random scenarios sent to the API, random requests to every operation of its description, then random edits of the
 * page: `npm run fuzz -- 600 7` for ten minutes from seed 7.
 */
async function fuzz([seconds = "600", seed = String(1 + (Date.now() % 100_000))]) {
  await setup();
  const third = String(Number(seconds) / 3);
  say(`random scenarios for ${third} s, then random requests, then random edits, each as long, from seed ${seed}`);
  await run(PYTHON, ["-m", "tests.api.scenarios", third, seed]);
  await run(PYTHON, ["-m", "tests.api.specification", third, seed]);
  return (await browser(["random"], { FOOTROOM_FUZZ_SECONDS: third, FOOTROOM_FUZZ_SEED: seed })).status;
}

const PARTS = { check, python, frontend: unit, browser };

/** `npm test`, `npm test -- check python` or, for one part, arguments too: `npm test -- python tests/theory -k loss`. */
async function test(args) {
  const isPart = (word) => Object.hasOwn(PARTS, word);
  const cut = args.findIndex((word) => !isPart(word));
  const named = cut < 0 ? args : args.slice(0, cut);
  const rest = cut < 0 ? [] : args.slice(cut);
  if (rest.length > 0 && named.length !== 1) {
    throw new Failure(`${rest[0]}: name one part first: ${Object.keys(PARTS).join(", ")}.`);
  }
  await setup();
  const results = [];
  for (const name of named.length > 0 ? named : Object.keys(PARTS)) {
    say(`test: ${name}`);
    const started = Date.now();
    const result = await PARTS[name](rest).catch((error) => ({ status: 1, note: error.message }));
    results.push({ name, seconds: (Date.now() - started) / 1000, ...result });
  }
  console.log("");
  for (const { name, seconds, status, note } of results) {
    const verdict = status === 0 ? "passed" : "FAILED";
    console.log(`${name.padEnd(10)} ${verdict} ${seconds.toFixed(1).padStart(8)} s  ${note ?? ""}`.trimEnd());
  }
  for (const { closing } of results) if (closing) console.log(closing);
  return results.every(({ status }) => status === 0) ? 0 : 1;
}

// ------------------------------------------------------------------------------------------------------------- main

const VERBS = {
  setup: async () => {
    await setup();
    say("ready: npm start");
    return 0;
  },
  start,
  dev,
  check: async (args) => {
    await setup({ build: false });
    const { status, note } = await check(args);
    say(status === 0 ? "check: all passed" : `check: ${note}`);
    return status;
  },
  generate: async () => {
    await setup({ build: false });
    await generate();
    return 0;
  },
  pictures,
  docs: async () => {
    await buildSite();
    return 0;
  },
  package: async () => {
    await packageWheel();
    return 0;
  },
  test,
  coverage,
  fuzz,
};

const [verb, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(VERBS, verb ?? "")) {
  console.error(`usage: node run.mjs ${Object.keys(VERBS).join("|")}`);
  process.exit(2);
}
try {
  process.exitCode = await VERBS[verb](rest);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`footroom: ${error.message}`);
  process.exitCode = 1;
}
