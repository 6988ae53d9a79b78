import type { ComponentType } from "react";

import { Headroom, OneScheme, Slack } from "./live/Headroom";
import { Incast, Marking, Pauses, Shares, Split } from "./live/Pool";
import { Alpha } from "./live/Sharing";
import { Size } from "./live/Size";
import { Voq } from "./live/Voq";
import type { Question } from "@/api/questions";
import type { JsonObject } from "@/lib/path";

/** By question, what can be told at a glance: answers that the API gives within milliseconds. */
const known: Record<string, ComponentType<{ values: JsonObject }>> = {
  "headroom-400g-300m": Headroom,
  "cable-between-rows": Headroom,
  "long-haul": Headroom,
  derivation: OneScheme,
  "slow-peer": Slack,
  oversubscription: Pauses,
  percentages: Split,
  "dynamic-or-static": Shares,
  "incast-alpha": Incast,
  "ecn-before-pfc": Marking,
  "smallest-backbone-buffer": Size,
  "voq-limit": Voq,
};

/** Where the view alone decides. */
const byView: Record<string, ComponentType<{ values: JsonObject }>> = { sharing: Alpha };

export function Live({ question: { id, view, values } }: { question: Question }) {
  const Known = byView[view] ?? known[id];
  return Known === undefined ? null : <Known values={values as JsonObject} />;
}
