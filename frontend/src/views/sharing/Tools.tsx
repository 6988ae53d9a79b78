import { pictureItem, TakeMenu, tablesItem, type Item } from "@/features/share";
import { download } from "@/lib/browser";
import { emulateCommand } from "@/lib/emulation";
import { literal, posted } from "@/lib/snippets";
import type { SharingBench } from "@/views/sharing/state/useSharing";

/** Taking the question or its answer elsewhere. */
export function Tools({ bench: { question, answer, trace, mode, schema, root } }: { bench: SharingBench }) {
  const { origin, href } = window.location;
  const { trace: text, policies, ...rest } = question;
  // A trace is a file of its own, wherever it goes.
  const asked = { ...rest, ...(policies === undefined ? {} : { policies }) };
  const python = [
    "import footroom as fr",
    "",
    ...(text === undefined ? [] : [`trace = open(${JSON.stringify(trace?.name ?? "trace.csv")}).read()`]),
    `answer = fr.emulate(**${literal(asked)}${text === undefined ? "" : ", trace=trace"})`,
    "print(answer.to_frame())",
    "",
  ].join("\n");
  return (
    <TakeMenu
      items={({ copy, say }): Item[][] => [
        [
          [
            "Copy link",
            trace === undefined ? "everything on this page" : "all but the trace",
            () => {
              copy("Link", href);
            },
          ],
          ...(mode === "run"
            ? []
            : ([
                [
                  "Copy as Python",
                  "fr.emulate(…)",
                  () => {
                    copy("Python", python);
                  },
                ],
                [
                  "Copy as curl",
                  "the API",
                  () => {
                    copy("curl", posted(`${origin}/api/v1/emulate`, question));
                  },
                ],
                [
                  "Copy as a command",
                  "footroom emulate",
                  () => {
                    copy("Command", emulateCommand(question, trace?.name, schema, root));
                  },
                ],
              ] satisfies Item[])),
        ],
        [tablesItem("footroom-sharing", { copy, say }), pictureItem("footroom-sharing", { copy, say })],
        answer === undefined || mode === "run"
          ? []
          : [
              [
                "Download JSON",
                "policies and their time series",
                () => {
                  download("footroom-sharing.json", JSON.stringify(answer, null, 1), "application/json");
                },
              ],
            ],
      ]}
    />
  );
}
