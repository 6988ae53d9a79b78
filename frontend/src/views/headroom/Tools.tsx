import { useComputedColorScheme } from "@mantine/core";

import { headroomFigure } from "@/features/headroom";
import { TakeMenu, type Item } from "@/features/share";
import { download, downloadAddress } from "@/lib/browser";
import { derivationCsv, derivationText } from "@/views/headroom/lib/derivation";
import { flags } from "@/lib/flags";
import { palettes } from "@/lib/palette";
import { formatQuantity } from "@/lib/quantity";
import { commandLine } from "@/lib/shell";
import { pngOf } from "@/plot/image";
import { literal, posted } from "@/lib/snippets";
import { formRoot, linkSchema, poolSchema } from "@/state/headroomForms";
import type { HeadroomBench } from "@/views/headroom/state/useHeadroom";

/** The colour that the page gives a part of the headroom. */
const partColour = (part: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--part-${part}`).trim();

/** Taking the question or its answer elsewhere: the headroom's, and the pool's where there is one. */
export function Tools({ bench: { link, answer, scheme, pooled, division } }: { bench: HeadroomBench }) {
  const { origin, href } = window.location;
  const colours = useComputedColorScheme("light");
  const python = [
    "import footroom as fr",
    "",
    `print(fr.headroom(**${literal(link)}).to_frame())`,
    ...(pooled === undefined ? [] : [`print(fr.pool(**${literal(pooled)}).to_frame())`]),
    "",
  ].join("\n");
  const poolLine = pooled === undefined ? "" : commandLine("footroom pool", ...flags(pooled, poolSchema, formRoot));
  const commands = commandLine("footroom headroom", ...flags(link, linkSchema, formRoot)) + poolLine;
  const requests =
    posted(`${origin}/api/v1/headroom`, link) + (pooled === undefined ? "" : posted(`${origin}/api/v1/pool`, pooled));
  const chosen = answer?.schemes[scheme];
  return (
    <TakeMenu
      items={({ copy, say }): Item[][] => [
        [
          [
            "Copy link",
            "everything on this page",
            () => {
              copy("Link", href);
            },
          ],
          [
            "Copy as Python",
            "fr.headroom(…)",
            () => {
              copy("Python", python);
            },
          ],
          [
            "Copy as curl",
            "the API",
            () => {
              copy("curl", requests);
            },
          ],
          [
            "Copy as a command",
            "footroom headroom",
            () => {
              copy("Command", commands);
            },
          ],
        ],
        answer === undefined || chosen === undefined
          ? []
          : [
              [
                "Copy derivation",
                chosen.title,
                () => {
                  copy(
                    "Derivation",
                    derivationText(
                      `${formatQuantity(answer.inputs.speed, "bit/s")} over ` +
                        formatQuantity(answer.inputs.cable, "m"),
                      chosen,
                    ),
                  );
                },
              ],
              [
                "Download CSV",
                "every line of every scheme",
                () => {
                  download("footroom-headroom.csv", derivationCsv(answer.schemes), "text/csv");
                },
              ],
              [
                "Download PNG",
                "the bars",
                () => {
                  pngOf(headroomFigure(answer, palettes[colours], partColour)).then(
                    (address) => {
                      downloadAddress("footroom-headroom.png", address);
                    },
                    () => {
                      say("The picture could not be drawn");
                    },
                  );
                },
              ],
              [
                "Download JSON",
                "headroom and pool",
                () => {
                  download(
                    "footroom-headroom.json",
                    JSON.stringify({ headroom: answer, pool: division ?? null }, null, 1),
                    "application/json",
                  );
                },
              ],
            ],
      ]}
    />
  );
}
