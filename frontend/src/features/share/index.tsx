import { TakeMenu, type Item, type Take } from "./TakeMenu";
import { download, downloadAddress } from "@/lib/browser";
import { csv } from "@/lib/csv";
import type { Figure } from "@/lib/figure";
import type { MetricInfo } from "@/lib/metrics";
import { encodeView } from "@/lib/permalink";
import type { Point } from "@/lib/points";
import { command, curl, python, type Question } from "@/lib/snippets";
import type { View } from "@/lib/view";
import { pngOf } from "@/plot/image";

export { pictureItem, tablesItem } from "./pageItems";
export { TakeMenu, type Item, type Take } from "./TakeMenu";

type Props = {
  view: View;
  question: Question;
  points: Point[];
  metrics: Record<string, MetricInfo>;
  /** The figure as it is to be printed. */
  figure: () => Figure;
};

/** Taking the question or its answer elsewhere: link, code, numbers, picture. */
export function ShareMenu({ view, question, points, metrics, figure }: Props) {
  const { origin, pathname } = window.location;
  // A link carries the scenario itself, so that it means the same when the preset has changed.
  const link = `${origin}${pathname}?${encodeView({ ...view, scenario: question.scenario })}`;
  const name = `footroom-${(view.from ?? view.preset).replaceAll(/[^\w.-]+/g, "-")}`;
  const items = ({ copy, say }: Take): Item[][] => [
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
        "fr.sweep(…)",
        () => {
          copy("Python", python(question));
        },
      ],
      [
        "Copy as curl",
        "the API",
        () => {
          copy("curl", curl(question, origin));
        },
      ],
      [
        "Copy as a command",
        "footroom sweep",
        () => {
          copy("Command", command(question));
        },
      ],
    ],
    [
      [
        "Download CSV",
        "every metric, with units",
        () => {
          download(`${name}.csv`, csv(points, metrics), "text/csv");
        },
      ],
      [
        "Download JSON",
        "points with their scenario",
        () => {
          download(`${name}.json`, JSON.stringify({ points }, null, 1), "application/json");
        },
      ],
      [
        "Download scenario",
        "for the command line",
        () => {
          download("scenario.json", `${JSON.stringify(question.scenario, null, 2)}\n`, "application/json");
        },
      ],
      [
        "Download PNG",
        "the three plots",
        () => {
          pngOf(figure()).then(
            (address) => {
              downloadAddress(`${name}.png`, address);
            },
            () => {
              say("The picture could not be drawn");
            },
          );
        },
      ],
    ],
  ];
  return <TakeMenu items={items} />;
}
