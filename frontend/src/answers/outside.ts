/** Numbers outside what their model holds for: said beside them, and never a yes. */
import type { Finding } from "@/answers/types";
import { listed } from "@/lib/controls";

/** The finding with the reason why it is outside validity; unchanged where that is empty. */
export const doubtful = (found: Finding, outside: string): Finding =>
  outside === ""
    ? found
    : {
        ...found,
        verdict: found.verdict === "good" ? undefined : found.verdict,
        before: found.before.replace(/^Yes\b/, "Perhaps"),
        outside,
      };

type Schemes = Record<string, { title: string; outside: string }>;

/** Schemes that hold for the link. */
export const holding = <T extends { outside: string }>(schemes: Record<string, T>): T[] =>
  Object.values(schemes).filter(({ outside }) => outside === "");

/** " Outside validity here: A and B."; empty where every scheme holds. */
export function outsideWords(schemes: Schemes): string {
  const titles = Object.values(schemes).flatMap(({ title, outside }) => (outside === "" ? [] : [title]));
  return titles.length === 0 ? "" : ` Outside validity here: ${listed(titles)}.`;
}
