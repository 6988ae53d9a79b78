/** Numbers outside what their model holds for: said beside them, and never a yes. */
import type { Finding } from "@/answers/types";

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
