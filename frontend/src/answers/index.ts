import { backbone } from "@/answers/Backbone";
import { controls } from "@/answers/Controls";
import { ecnSpeeds } from "@/answers/EcnSpeeds";
import { incastAlpha, speedDown } from "@/answers/Emulated";
import { betweenRows, derivation, headroomRange } from "@/answers/HeadroomSchemes";
import { longHaul } from "@/answers/LongHaul";
import { deepOrShallow, microbursts } from "@/answers/Packets";
import { dynamicOrStatic, ecnFirst, fits, oversubscription, split } from "@/answers/Pool";
import { shortQueue } from "@/answers/ShortQueue";
import { slowPeer } from "@/answers/SlowPeer";
import { voqLimit } from "@/answers/VoqLimit";
import type { Kind } from "@/answers/types";

/** How each question is answered, by its id. */
export const ANSWERS: Readonly<Record<string, Kind>> = {
  "headroom-400g-300m": headroomRange,
  "cable-between-rows": betweenRows,
  "long-haul": longHaul,
  derivation,
  "slow-peer": slowPeer,
  "ecn-thresholds": ecnSpeeds,
  "ecn-before-pfc": ecnFirst,
  "fits-the-chip": fits,
  oversubscription,
  percentages: split,
  "dynamic-or-static": dynamicOrStatic,
  "incast-alpha": incastAlpha,
  "smallest-backbone-buffer": backbone,
  "voq-limit": voqLimit,
  "other-controls": controls,
  "deep-or-shallow": deepOrShallow,
  "drops-at-30-percent": microbursts,
  "speed-down": speedDown,
  "short-queue": shortQueue,
};
