// The pictures of the page in README and docs: what each shows, and which sources it was drawn with.
//
// A picture is stale where one of its sources has changed since: the list of views (every picture shows the navigation),
// the view's own files, and the scenario it shows. `npm run pictures` draws all of them again. Fields and panels that
// several views share are not among the sources: most of their changes do not show, and every commit would ask for a
// picture.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const VIEWS = "frontend/src/lib/views.ts";
const NAVIGATION = "frontend/src/shell/Navigation.tsx";
const PRESETS = "models/footroom/scenario/presets/data";

/** What was drawn, with which sources: written with the pictures and committed with them. */
export const MANIFEST = "docs/images/drawn.json";

/**
 * file: in docs/images.  address: of the page.  size: of the window.  press: buttons, by how their names begin; what
 * each starts is waited for.
 * part: the part of the page that is shown, all of it by default, from the
 * heading `top` on.  sources: files and folders, tests left out.
 */
export const PICTURES = [
  {
    file: "page.png",
    address: "/buffer",
    size: { width: 1440, height: 1000 },
    press: ["Run packets", "Find the size by packets"],
    sources: [VIEWS, NAVIGATION, "frontend/src/views/buffer/index.tsx", `${PRESETS}/wan-bottleneck.json`],
  },
  {
    file: "headroom.png",
    address: "/headroom?asic=tomahawk5&speed=400+Gb/s&cable=40+m",
    size: { width: 1440, height: 900 },
    sources: [VIEWS, NAVIGATION, "frontend/src/views/headroom/index.tsx", "frontend/src/views/headroom/Pool.tsx"],
  },
  {
    file: "sharing.png",
    address:
      "/sharing?degree=40&size=64+kB&rate=100+Gb/s&buffer=3+MB&ports=64&bursts=4" +
      "&policies.0.kind=dynamic_threshold&policies.1.kind=edt&policies.2.kind=smartbuf",
    size: { width: 1440, height: 900 },
    sources: [VIEWS, NAVIGATION, "frontend/src/views/sharing/index.tsx", "frontend/src/views/sharing/Alone.tsx"],
  },
  {
    file: "fabric.png",
    address: "/fabric",
    size: { width: 1440, height: 1150 },
    press: ["Run packets"],
    part: "Figures",
    top: "Queues and pauses over time",
    sources: ["frontend/src/views/fabric/panels", `${PRESETS}/pause-victims.json`],
  },
];

function filesUnder(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** One digest of all that `picture` is drawn with, and of how it is drawn. */
export function digestOf(root, picture) {
  const hash = createHash("sha256").update(JSON.stringify(picture));
  for (const source of picture.sources) {
    for (const file of filesUnder(join(root, source)).filter((name) => !/\.test\.tsx?$/.test(name))) {
      // Where something is imported from does not show.
      const text = readFileSync(file, "utf8").replace(/^import [^;]*;\n/gm, "");
      hash.update(`\0${file.slice(root.length)}\0`).update(text);
    }
  }
  return hash.digest("hex");
}

/** What the manifest would say of the pictures as they lie in `root` now. */
export function manifestOf(root) {
  const read = (file) => createHash("sha256").update(readFileSync(join(root, "docs", "images", file)));
  return Object.fromEntries(
    PICTURES.map((picture) => [
      picture.file,
      { picture: read(picture.file).digest("hex"), sources: digestOf(root, picture) },
    ]),
  );
}

/** A sentence for every picture that was not drawn with the sources of `root`, or not by `npm run pictures`. */
export function stale(root) {
  const place = join(root, MANIFEST);
  const drawn = existsSync(place) ? JSON.parse(readFileSync(place, "utf8")) : {};
  const now = manifestOf(root);
  return PICTURES.flatMap(({ file, sources }) => {
    if (drawn[file]?.sources !== now[file].sources) {
      return [`docs/images/${file} was drawn before one of these changed: ${sources.join(", ")}`];
    }
    return drawn[file].picture === now[file].picture ? [] : [`docs/images/${file} is not what npm run pictures drew`];
  });
}
