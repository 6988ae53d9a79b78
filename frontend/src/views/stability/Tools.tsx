import { pictureItem, TakeMenu, tablesItem } from "@/features/share";
import { download } from "@/lib/browser";
import { formatAxis } from "@/views/stability/lib/mapAxes";
import { commandLine, quoted } from "@/lib/shell";
import { literal, posted } from "@/lib/snippets";
import { encodeStability } from "@/lib/stability";
import type { StabilityBench } from "@/views/stability/state/useStability";

/** Taking the question or its answer elsewhere. */
export function Tools({ bench: { view, scenario, x, y, map, answer } }: { bench: StabilityBench }) {
  if (scenario === undefined || x === undefined || y === undefined) return null;
  const { origin, pathname } = window.location;
  const values = [x, y].map((axis) => `${axis.field.path}=${axis.low}:${axis.high}:log40`);
  const axes = [x, y].map((axis) => {
    const range = `${axis.low}:${axis.high}:log40`;
    return `(${literal(axis.field.path)}, ${literal(range)})`;
  });
  const python = [
    "import footroom as fr",
    "",
    `scenario = ${literal(scenario)}`,
    "print(fr.stability(scenario).to_frame())",
    `fr.stability.map(scenario, ${axes.join(", ")}).figure()`,
    "",
  ].join("\n");
  // A link carries the scenario itself, so that it means the same when the preset has changed.
  const link = `${origin}${pathname}?${encodeStability({ ...view, scenario, x: formatAxis(x), y: formatAxis(y) })}`;
  return (
    <TakeMenu
      items={({ copy, say }) => [
        [
          [
            "Copy link",
            "everything on this page",
            () => {
              copy("Link", link);
            },
          ],
          [
            "Copy as Python",
            "fr.stability(…)",
            () => {
              copy("Python", python);
            },
          ],
          [
            "Copy as curl",
            "the API",
            () => {
              copy("curl", posted(`${origin}/api/v1/stability`, { scenario }));
            },
          ],
          [
            "Copy as a command",
            "footroom stability",
            () => {
              copy("Command", commandLine("footroom stability scenario.json --map", ...values.map(quoted)));
            },
          ],
        ],
        [
          tablesItem("footroom-stability", { copy, say }),
          pictureItem("footroom-stability", { copy, say }),
          [
            "Download scenario",
            "for the command line",
            () => {
              download("scenario.json", `${JSON.stringify(scenario, null, 2)}\n`, "application/json");
            },
          ],
          [
            "Download JSON",
            "verdict and map",
            () => {
              download(
                "footroom-stability.json",
                JSON.stringify(
                  { answer, map: map === undefined ? null : { x: map.xs, y: map.ys, cells: map.cells } },
                  null,
                  1,
                ),
                "application/json",
              );
            },
          ],
        ],
      ]}
    />
  );
}
