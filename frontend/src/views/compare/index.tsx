import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";

import classes from "./compare.module.css";
import { Delta } from "./Delta";
import { useSlots, type Compared } from "@/views/compare/state/useSlots";
import { presetsQuery } from "@/api/queries";
import { changes, sentence } from "@/features/compare";
import { pictureItem, TakeMenu, tablesItem } from "@/features/share";
import { Notices } from "@/features/status";
import { COMPARED, COMPARED_ENGINES, ignoredInComparison, SLOTS, type Slot } from "@/lib/compare";
import { titleOf } from "@/lib/metrics";
import { roughly } from "@/lib/number";
import { encodeView } from "@/lib/permalink";
import { series } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { DEFAULT_VIEW } from "@/lib/view";
import { pathOf } from "@/lib/views";
import { CurvePlot, type Curve } from "@/plot/CurvePlot";
import { queryOf } from "@/state/router";
import { useComparison } from "@/state/useComparison";
import { Frame } from "@/ui/Frame";
import { RunButton } from "@/ui/RunButton";

const ENGINES: Record<string, string> = { theory: "Closed form", fluid: "Fluid model", packet: "Packets" };
/** Lines that differ by dash as well as colour. */
const LINES: Pick<Curve, "colour" | "dash">[] = [
  { colour: "current", dash: "none" },
  { colour: "pinned", dash: "9 4" },
  { colour: "other", dash: "2 4" },
];

/** Up to three scenarios: one plot, and what differs. */
export function View() {
  const { state, change } = useComparison();
  const { compared, metrics, units, packet, waiting } = useSlots(state);
  const ignored = ignoredInComparison(queryOf(useLocation().search as unknown));
  const { metric, engine, slots } = state;
  const set = (next: Slot[]) => {
    change({ slots: next });
  };
  const unit = metrics[metric]?.unit ?? "1";
  const share = metric === "utilisation" || metric === "drop_rate";
  const curves = compared
    .map(({ letter, name, points }, i): Curve => ({
      name: `${letter} ${name}`,
      engine,
      samples: series(points, engine, metric),
      ...LINES[i],
    }))
    .filter(({ samples }) => samples.length > 0);
  return (
    <Frame
      title="Compare"
      className={classes.page}
      tools={<Take />}
      notice={<Notices offline={false} seen ignored={ignored} />}
    >
      <div className={classes.inner}>
        <h1>Compare up to three scenarios</h1>
        <ul className={classes.slots}>
          {compared.map((one, i) => (
            <li key={one.letter}>
              <Card
                one={one}
                base={i === 0 ? undefined : compared[0]}
                units={units}
                onRemove={() => {
                  set(slots.filter((_, j) => j !== i));
                }}
              />
            </li>
          ))}
          {slots.length < SLOTS.length && (
            <li>
              <Add
                letter={(SLOTS[slots.length] ?? "").toUpperCase()}
                onAdd={(preset) => {
                  set([...slots, { preset }]);
                }}
              />
            </li>
          )}
        </ul>
        {slots.length > 0 && (
          <>
            <div className={classes.bar}>
              <Choice
                label="Engine"
                values={COMPARED_ENGINES}
                chosen={engine}
                titles={(one) => ENGINES[one] ?? one}
                onPick={(one) => {
                  change({ engine: one });
                }}
              />
              <Choice
                label="Plot"
                values={COMPARED}
                chosen={metric}
                titles={titleOf}
                onPick={(one) => {
                  change({ metric: one });
                }}
              />
              {engine === "packet" && !packet.done && (
                <RunButton disabled={packet.running || !packet.known} onRun={packet.start}>
                  {packet.running
                    ? "Simulating…"
                    : `Run packets${packet.seconds > 0 ? ` (${roughly(packet.seconds)})` : ""}`}
                </RunButton>
              )}
            </div>
            {compared.map(
              ({ letter, refused }) =>
                refused !== undefined && (
                  <p key={letter} className={classes.refused}>
                    {letter} has no answer by {(ENGINES[engine] ?? engine).toLowerCase()}: {refused}
                  </p>
                ),
            )}
            {(waiting || curves.length > 0) && (
              <CurvePlot
                summary={
                  `${titleOf(metric)} against buffer size for ` +
                  `${compared.map(({ letter, name }) => `${letter}, ${name}`).join("; ")}.`
                }
                x={{ title: "Buffer", unit: "B", log: true }}
                y={{ title: titleOf(metric), unit, share, log: metric !== "utilisation" }}
                curves={curves}
                height={250}
                waiting={waiting}
              />
            )}
            <h2>Each at its own buffer</h2>
            <Delta compared={compared} metrics={metrics} />
            {engine === "packet" && packet.done && (
              <p className={classes.text}>
                Three seeds at each size, from a quarter to four times the scenario's buffer; beside each mean its 95 %
                interval. Where intervals overlap there is no clear difference.
              </p>
            )}
          </>
        )}
        {slots.length === 0 && (
          <p className={classes.text}>Add a preset here, or open a scenario in Buffer and press “Add to compare”.</p>
        )}
      </div>
    </Frame>
  );
}

function Card({
  one: { letter, name, scenario, buffer, here, refused },
  base,
  units,
  onRemove,
}: {
  one: Compared;
  base: Compared | undefined;
  units: ReadonlyMap<string, string>;
  onRemove: () => void;
}) {
  // As answered, with every default filled in: what is only written differently is no difference.
  const whole = base?.here !== undefined && here !== undefined;
  const [first, second] = whole ? [base.here?.scenario, here.scenario] : [base?.scenario, scenario];
  const differing = first === undefined || second === undefined ? [] : changes(first, second);
  return (
    <div className={classes.card} data-slot={letter}>
      <h2>
        <b>{letter}</b> {name}
      </h2>
      <p>
        {buffer === undefined ? "" : `Buffer ${formatQuantity(buffer, "B")}. `}
        {scenario === undefined && refused !== undefined
          ? refused
          : base === undefined
            ? "The others are compared with this one."
            : !whole && refused === undefined
              ? ""
              : differing.length === 0
                ? "The same as A."
                : `Against A: ${differing
                    .slice(0, 4)
                    .map((one) => sentence(one, units))
                    .join(", ")}${differing.length > 4 ? ` and ${differing.length - 4} more` : ""}.`}
      </p>
      <p>
        {scenario !== undefined && (
          <Link to={pathOf("buffer")} search={{ query: encodeView({ ...DEFAULT_VIEW, scenario }) }}>
            Open {letter} in Buffer
          </Link>
        )}
        <button type="button" onClick={onRemove}>
          Remove {letter}
        </button>
      </p>
    </div>
  );
}

function Add({ letter, onAdd }: { letter: string; onAdd: (preset: string) => void }) {
  const { data: presets } = useQuery(presetsQuery);
  return (
    <div className={classes.card} data-empty>
      <label>
        <b>{letter}</b>{" "}
        <select
          value=""
          onChange={({ currentTarget }) => {
            onAdd(currentTarget.value);
          }}
        >
          <option value="">Add a preset</option>
          {(presets ?? []).map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  values: readonly string[];
  chosen: string;
  titles: (value: string) => string;
  onPick: (value: string) => void;
};

function Choice({ label, values, chosen, titles, onPick }: ChoiceProps) {
  return (
    <div className={classes.choice} role="group" aria-label={label}>
      <span>{label}</span>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => {
            onPick(value);
          }}
        >
          {titles(value)}
        </button>
      ))}
    </div>
  );
}

function Take() {
  return (
    <TakeMenu
      items={({ copy, say }) => [
        [
          [
            "Copy link",
            "this comparison",
            () => {
              copy("Link", window.location.href);
            },
          ],
        ],
        [tablesItem("footroom-compare", { copy, say }), pictureItem("footroom-compare", { copy, say })],
      ]}
    />
  );
}
