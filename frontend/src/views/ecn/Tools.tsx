import { pictureItem, TakeMenu, tablesItem } from "@/features/share";
import { download } from "@/lib/browser";
import { ecnCommand, questionOf } from "@/lib/ecn";
import { literal, posted } from "@/lib/snippets";
import type { EcnBench } from "@/views/ecn/state/useEcn";

/** Taking the question or its answer elsewhere. */
export function Tools({ bench: { state, answer, schema, root } }: { bench: EcnBench }) {
  const question = questionOf(state);
  const { origin, href } = window.location;
  const python =
    `import footroom as fr\n\nadvice = ` +
    `fr.ecn(**${literal(question)})\nprint(advice.advice)\nprint(advice.to_frame())\n`;
  return (
    <TakeMenu
      items={({ copy, say }) => [
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
            "fr.ecn(…)",
            () => {
              copy("Python", python);
            },
          ],
          [
            "Copy as curl",
            "the API",
            () => {
              copy("curl", posted(`${origin}/api/v1/ecn`, question));
            },
          ],
          [
            "Copy as a command",
            "footroom ecn",
            () => {
              copy("Command", ecnCommand(question, schema, root));
            },
          ],
        ],
        [tablesItem("footroom-ecn", { copy, say }), pictureItem("footroom-ecn", { copy, say })],
        answer === undefined
          ? []
          : [
              [
                "Download JSON",
                "thresholds, curve and defaults",
                () => {
                  download("footroom-ecn.json", JSON.stringify(answer, null, 1), "application/json");
                },
              ],
            ],
      ]}
    />
  );
}
