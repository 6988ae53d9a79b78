import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { inputs as Inputs, targetWords } from "@/answers/Backbone";
import { wordsOf } from "@/api/problem";
import { presetsQuery } from "@/api/queries";
import { Unreachable } from "@/api/problem";
import { ControlsPlot, ControlsRemarks, ControlsTable, Progress } from "@/answers/byControl";
import marks from "@/answers/byControl/controls.module.css";
import { PresetPicker } from "@/features/presets";
import { Notices } from "@/features/status";
import { TakeMenu } from "@/features/share";
import { Fold } from "@/form/Fold";
import { useInvalidFields } from "@/form/invalid";
import { download } from "@/lib/browser";
import { csvOf, findingOf, MODELS } from "@/lib/controls";
import { posted } from "@/lib/snippets";
import type { JsonObject } from "@/lib/path";
import { useControls } from "@/answers/byControl/useControls";
import { useQuestion } from "@/state/useQuestion";
import classes from "@/ui/answerPage.module.css";
import { answerPlace, answers, Frame } from "@/ui/Frame";

const FIRST: JsonObject = { preset: "wan-bottleneck", need: "utilisation>=0.99" };
const ENGINES = ["fluid", "theory", "packet"];

/** Which congestion control changes the smallest buffer: the answer, the curves over the number of flows, the table. */
export function View() {
  const { values, changed, change, reset } = useQuestion(FIRST);
  const [picked, setPicked] = useState<number>();
  const bench = useControls(values, true, picked);
  const presets = useQuery(presetsQuery);
  const invalid = useInvalidFields().length > 0;
  const [engine, setEngine] = useState("fluid");
  const counts = useMemo(
    () => [...new Set(bench.rows.flatMap(({ flows }) => flows ?? []))].toSorted((a, b) => a - b),
    [bench.rows],
  );
  const flows = picked !== undefined && counts.includes(picked) ? picked : bench.flows;
  const target = targetWords(bench.objectives);
  const found = findingOf(bench.rows, target, bench.flows);
  const offline = bench.error instanceof Unreachable;
  const preset = typeof values.preset === "string" ? values.preset : "";
  const commands = [...new Set(bench.rows.filter((row) => row.flows === flows).map(({ command }) => command))];
  return (
    <Frame
      title="Controls"
      className={classes.page}
      tools={<Tools bench={bench} preset={preset} />}
      notice={<Notices offline={offline} seen={bench.rows.length > 0} ignored={[]} />}
    >
      <div className={classes.inner}>
        <div className={classes.main}>
          <h1>Which control changes my answer?</h1>
          <div {...answerPlace} className={classes.answer} role="status" aria-label="Answer">
            {bench.error !== null && !offline && <p className={classes.problem}>{wordsOf(bench.error)}</p>}
            {found !== undefined ? (
              <p className={classes.sentence} aria-busy={bench.stale}>
                {found.before} <b>{found.value}</b>
                {/^[.,:;]/.test(found.after) ? "" : " "}
                {found.after}
              </p>
            ) : (
              bench.error === null && (
                <p className={classes.waiting}>
                  {bench.pending || bench.working
                    ? "Computing…"
                    : bench.objectives.length === 0
                      ? "Add a target, such as a utilisation of 99 %."
                      : "Neither closed form nor fluid model has results for two controls here."}
                </p>
              )
            )}
          </div>
          <Progress bench={bench} blocked={invalid} />
          <div className={marks.bar}>
            <label>
              Curves by{" "}
              <select
                value={engine}
                onChange={(event) => {
                  setEngine(event.currentTarget.value);
                }}
              >
                {ENGINES.map((one) => (
                  <option key={one} value={one}>
                    {MODELS[one]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <input
                type="checkbox"
                checked={values.mixtures === true}
                onChange={(event) => {
                  change("mixtures", event.currentTarget.checked ? true : undefined);
                }}
              />{" "}
              Mixtures of two, half of the flows each, at the table’s number of flows
            </label>
          </div>
          <div {...answers}>{bench.flows !== null && <ControlsPlot bench={bench} engine={engine} />}</div>
          <section {...answers} className={classes.evidence} aria-label="Smallest buffer by congestion control">
            <h2>Smallest buffer by congestion control</h2>
            {counts.length > 1 && (
              <p className={marks.bar}>
                <label>
                  Number of flows{" "}
                  <select
                    value={String(flows ?? "")}
                    onChange={(event) => {
                      setPicked(Number(event.currentTarget.value));
                    }}
                  >
                    {counts.map((count) => (
                      <option key={count} value={count}>
                        {count}
                      </option>
                    ))}
                  </select>
                </label>
              </p>
            )}
            <div className={classes.scroll} tabIndex={0} role="group" aria-label="Table of buffers">
              <ControlsTable bench={bench} flows={flows} />
              <ControlsRemarks bench={bench} flows={flows} />
            </div>
            {bench.notes.map((note) => (
              <p key={note} className={classes.why}>
                {note}
              </p>
            ))}
          </section>
          <Fold title="Commands that give the same figures" level={1}>
            <p className={classes.why}>scenario.json is the scenario of this page; get it under “Copy or download”.</p>
            <div className={marks.commands}>
              {commands.map((command) => (
                <code key={command}>{command}</code>
              ))}
            </div>
          </Fold>
        </div>
        <aside className={classes.inputs} aria-label="Your values">
          <PresetPicker
            presets={presets.data ?? []}
            chosen={preset}
            edited={Object.keys(changed).some((path) => path !== "preset" && path !== "need")}
            onPick={(id) => {
              if (id === preset) reset();
              else change("preset", id);
            }}
          />
          <Inputs values={values} change={change} />
        </aside>
      </div>
    </Frame>
  );
}

function Tools({ bench, preset }: { bench: ReturnType<typeof useControls>; preset: string }) {
  const require = bench.objectives.map(({ metric, op, value }) => `${metric}${op}${value}`);
  return (
    <TakeMenu
      items={({ copy }) => [
        [
          [
            "Copy link",
            "everything on this page",
            () => {
              copy("Link", window.location.href);
            },
          ],
          [
            "Copy as curl",
            "the API",
            () => {
              copy(
                "curl",
                posted(`${window.location.origin}/api/v1/controls`, { scenario: bench.scenario ?? {}, require }),
              );
            },
          ],
        ],
        [
          [
            "Download CSV",
            "every row and rule",
            () => {
              download(`footroom-controls-${preset}.csv`, csvOf(bench.rows, bench.rules), "text/csv");
            },
          ],
          [
            "Download scenario",
            "for the command line",
            () => {
              download("scenario.json", `${JSON.stringify(bench.scenario ?? {}, null, 2)}\n`, "application/json");
            },
          ],
        ],
      ]}
    />
  );
}
