import type { ComponentType } from "react";

import type { Json, JsonObject } from "@/lib/path";

/** The answer to one question: its number and the sentence around it. Card and page show the same one. */
export type Finding = {
  value: string;
  /** What the number is, in a few words. */
  note: string;
  verdict?: "good" | "bad" | undefined;
  /** The sentence, with the number between its two parts. */
  before: string;
  after: string;
  /** Why the number is outside what its model holds for: it is faded, and the reason said beside it. */
  outside?: string;
};

export type Shown = {
  /** Absent until it is computed. */
  found: Finding | undefined;
  error?: Error | null | undefined;
  /** A simulation under way, or one that could be run: shown on the question's page only. */
  pending?: Pending | undefined;
};

/** A packet simulation that the answer needs. */
export type Pending = { running: boolean; seconds: number | undefined; onRun: () => void };

/** Fields of a question: dotted path to value, as its link writes them. */
export type AnswerProps = { values: JsonObject; show: ComponentType<Shown> };

export type Change = (path: string, value: Json | undefined) => void;
export type PartProps = { values: JsonObject; change: Change };

/** How one question is answered. */
export type Kind = {
  /** Computes the answer and hands it to `show`. */
  Answer: ComponentType<AnswerProps>;
  /** Whether what is shown still answers earlier values; absent where nothing is shown until these are answered. */
  useStale?: (values: JsonObject) => boolean;
  /** The fields that matter for it. */
  Inputs: ComponentType<PartProps>;
  /** Heading of the section that answers it, the only one open. */
  title: string;
  Evidence: ComponentType<PartProps>;
  /** Takes the server seconds: the start page asks the others first. */
  slow?: true;
  /** Further sections, folded. */
  more?: { title: string; Part: ComponentType<PartProps> }[];
};
