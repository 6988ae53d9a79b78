/** Published experiments: which targets are shown, and their values and verdicts in words. */
import type { Schema } from "@/contract";
import { documentCodec } from "@/lib/document";
import { significant } from "@/lib/number";
import { formatQuantity, type Unit } from "@/lib/quantity";

export type Verdict = "met" | "missed" | "undecided" | "not_testable";
/** What decides a target: only what follows from the simulation tests the model. */
export type FollowsFrom = Schema<"PaperTarget">["follows_from"];
export type Confidence = Schema<"PaperTarget">["confidence"];
export type Tier = "smoke" | "laptop" | "full";

export type Target = Schema<"PaperTarget">;

export type Judged = Schema<"JudgedTarget">;

/** What runs of a paper found before the release. */
export type Released = Schema<"ReleasedVerdicts">;

/** A target with what a run found, where there was one. */
export type Row = { target: Target; judged: Judged | undefined };

export const TABS = ["targets", "figures", "scenarios", "assumptions"] as const;
export type Tab = (typeof TABS)[number];
export const VERDICTS = ["met", "missed", "undecided", "not_testable"] as const;
export const CONFIDENCES = ["high", "medium", "low"] as const;
const TIERS = ["smoke", "laptop", "full"] as const;

/** Fields of the view's address, and those that take certain words only. */
export const PAPER_FIELDS = ["paper", "tier", "tab", "verdict", "confidence", "target"];
export const PAPER_CHOICES = { tier: TIERS, tab: TABS, verdict: VERDICTS, confidence: CONFIDENCES };

/** tier: absent while nobody chose one.  target: whose scenarios are listed. */
export type PapersView = {
  paper?: string;
  tier?: Tier;
  tab: Tab;
  verdict?: Verdict;
  confidence?: Confidence;
  target?: string;
};

const among = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);

/** The state of the view as a query string. */
export const papersCodec = {
  decode: (query: string): PapersView => {
    const { paper, tier, tab, verdict, confidence, target } = documentCodec.decode(query);
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    const found = {
      tier: among(TIERS, tier),
      verdict: among(VERDICTS, verdict),
      confidence: among(CONFIDENCES, confidence),
      paper: text(paper),
      target: text(target),
    };
    return {
      tab: among(TABS, tab) ?? "targets",
      ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    };
  },
  encode: ({ tab, ...rest }: PapersView): string =>
    documentCodec.encode({ ...rest, ...(tab === "targets" ? {} : { tab }) }),
};

/** The largest size that was run here, else that of the release's results: what is looked at while nobody chose one. */
export const usualTier = (verdicts: Partial<Record<Tier, unknown>> | undefined, shipped?: Tier): Tier =>
  TIERS.findLast((tier) => verdicts?.[tier] !== undefined) ?? shipped ?? "smoke";

/** Where results come from that nobody ran here: version, date, how to run them again, and what changed since. */
export function releasedWords({ version, date, runs, command, note, changed }: Released): string[] {
  const parts = changed.map((part) => (part === "paper" ? "the paper's experiments or rules" : part)).join(", ");
  return [
    `Results that came with version ${version}, from ${runs} runs on ${date}. Run the paper here, or: ${command}.`,
    ...(note === "" ? [] : [note]),
    ...(changed.length > 0 ? [`Changed since that run, so that numbers may differ: ${parts}.`] : []),
  ];
}

export const rowsOf = (targets: readonly Target[], judged: readonly Judged[] | undefined): Row[] =>
  targets.map((target) => ({ target, judged: judged?.find(({ id }) => id === target.id) }));

export const shownRows = (
  rows: readonly Row[],
  { verdict, confidence }: Pick<PapersView, "verdict" | "confidence">,
): Row[] =>
  rows.filter(
    ({ target, judged }) =>
      (verdict === undefined || judged?.verdict === verdict) &&
      (confidence === undefined || target.confidence === confidence),
  );

/** How many verdicts of each sort. */
export function tally(verdicts: readonly (string | undefined)[]): Record<Verdict, number> {
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
  return {
    met: count("met"),
    missed: count("missed"),
    undecided: count("undecided"),
    not_testable: count("not_testable"),
  };
}

const SI = new Set<string>(["bit/s", "B", "s", "m", "packet"] satisfies Unit[]);

/** A value as printed or as found: a number with its unit, several by name or in order, or words. */
export function showValue(value: unknown, unit: string): string {
  const one = (number: number) =>
    SI.has(unit) ? formatQuantity(number, unit) : `${plain(number)}${unit === "1" ? "" : ` ${unit}`}`;
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return one(value);
  if (Array.isArray(value)) return value.map((item) => showValue(item, unit)).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, item]) => `${name.replaceAll("_", " ")} ${showValue(item, unit)}`)
      .join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whole numbers as they are, the rest to three digits at most: what was printed as 0.1 was not printed as 0.100. */
function plain(number: number): string {
  const size = Math.abs(number);
  if (size < 1e6 && (Number.isInteger(number) || size >= 1e-3))
    return String(Number.isInteger(number) ? number : Number(number.toPrecision(3)));
  return significant(number)
    .replace(/^(\d)\.00·/, "$1·")
    .replace(/^1·/, "")
    .replace(/(\.\d)0·/, "$1·");
}

/** Ours with its interval: "293 ms (287 to 301)". */
export function showOurs({ ours, interval, unit }: Judged): string {
  if (interval === null) return showValue(ours, unit);
  const [low, high] = interval.map((end) => showValue(end, SI.has(unit) ? unit : "1"));
  return `${showValue(ours, unit)} (${low ?? ""} to ${high ?? ""})`;
}

export const verdictWords: Record<Verdict, string> = {
  met: "✓ met",
  missed: "✕ missed",
  undecided: "≈ undecided",
  not_testable: "– not testable",
};

export const followsWords: Record<FollowsFrom, string> = {
  simulation: "",
  input: "an input",
  geometry: "geometry",
  fit: "used for a fit",
  construction: "met by construction",
};

/**
 * Verdicts in words, "20 met, 3 missed"; second, the same of targets that follow from the simulation alone, where
 * others stand beside them.
 */
export function countWords(rows: readonly Row[]): [all: string, simulated: string] {
  const words = (some: readonly Row[]) => {
    const counts = tally(some.map(({ judged }) => judged?.verdict));
    return VERDICTS.filter((verdict) => counts[verdict] > 0)
      .map((verdict) => `${counts[verdict]} ${verdictWords[verdict].slice(2)}`)
      .join(", ");
  };
  const simulated = rows.filter(({ target }) => target.follows_from === "simulation");
  const left = rows.length - simulated.length;
  return [
    words(rows),
    left === 0 ? "" : `${words(simulated)} without the ${left} that follow from inputs, geometry, fits or construction`,
  ];
}

/** How sure the verdict is: share of draws that agree with the rule, and what stands behind ours. */
export function supportWords({ support, samples, replicas }: Judged): string {
  const parts = [
    ...(support === null ? [] : [`the rule holds in ${Math.round(100 * support)} % of draws`]),
    ...(samples > 0 ? [`${samples} samples`] : []),
    ...(replicas > 1 ? [`${replicas} replicas`] : []),
  ];
  return parts.join(", ");
}

/** What this size is, said once for all experiments it is the same for: "SB, SB-K: 4 leaves of 8 hosts." */
export function sizesInWords(sizes: readonly (readonly [experiment: string, about: string])[]): string[] {
  const abouts = [...new Set(sizes.map(([, about]) => about))];
  const named = (about: string) =>
    sizes
      .filter((size) => size[1] === about)
      .map(([id]) => id)
      .join(", ");
  return abouts.map((about) => (abouts.length === 1 ? about : `${named(about)}: ${about}`));
}
