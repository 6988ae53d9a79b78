/** The answer in short sentences. */
import { showObjective } from "@/lib/fraction";
import { titleOf } from "@/lib/metrics";
import { parseObjective, type Answer, type Objective } from "@/lib/objectives";
import { plainSentence } from "@/lib/problems";
import { formatQuantity, splitQuantity } from "@/lib/quantity";

export type Units = Record<string, { unit: string }>;

/** A metric inside a sentence: "mean queue" for "Queue, mean". */
export function plain(metric: string): string {
  return titleOf(metric).toLowerCase().split(", ").toReversed().join(" ");
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const bound = ({ metric, value }: Objective, units: Units) => showObjective(metric, value, units[metric]?.unit ?? "1");

/** "Utilisation stays below 99 % up to 2.50 MB." */
export function neverMet(binding: Objective[], most: number, units: Units): string {
  const parts = binding.map(
    (objective) =>
      `${plain(objective.metric)} stays ${objective.op === ">=" ? "below" : "above"} ${bound(objective, units)}`,
  );
  return `${capital(parts.join(" and "))} up to ${formatQuantity(most, "B")}.`;
}

/** "No size meets utilisation ≥ 99 % and drop rate ≤ 0.1 % together." */
export function neverTogether(objectives: Objective[], units: Units): string {
  const parts = objectives.map(
    (objective) => `${plain(objective.metric)} ${objective.op === ">=" ? "≥" : "≤"} ${bound(objective, units)}`,
  );
  return `No size meets ${parts.join(" and ")} together.`;
}

/** "At 403 kB utilisation is too low." */
export function tooSmall(below: number, binding: Objective[]): string {
  const faults = binding.map(({ metric, op }) => `${plain(metric)} is too ${op === ">=" ? "low" : "high"}`);
  return faults.length === 0 ? "" : `At ${formatQuantity(below, "B")} ${faults.join(" and ")}.`;
}

/** Two sizes as one range: "1.58–2.50 MB". */
export function bracket(low: number, high: number): { number: string; unit: string } {
  const [from, to] = [splitQuantity(low, "B"), splitQuantity(high, "B")];
  return { number: `${from.number}${from.unit === to.unit ? "" : ` ${from.unit}`}–${to.number}`, unit: to.unit };
}

/** What an engine leaves open or uncertain about its answer. */
export function reservations({ buffer, passedOver, reopens, certain, unanswered }: Answer): string[] {
  const parts: string[] = [];
  if (passedOver !== undefined) {
    parts.push(
      `Sizes up to ${formatQuantity(passedOver.upTo, "B")} were passed over, outside validity: ` +
        plainSentence(passedOver.reason),
    );
  }
  if (reopens) parts.push("Some larger sizes fail again.");
  if (!certain) parts.push("Inconclusive: the 95 % interval crosses the target. Add replicas.");
  if (unanswered.length > 0 && buffer !== undefined) parts.push(`Not computed: ${unanswered.map(plain).join(", ")}.`);
  return parts;
}

/** The requirements of a size search and of the command line, read back. */
export const readBinding = (text: string | null): Objective[] => {
  const objective = text === null ? null : parseObjective(text);
  return objective === null ? [] : [objective];
};
