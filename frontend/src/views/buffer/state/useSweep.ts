import { useMemo } from "react";

import type { Preset } from "@/api/queries";
import { memoryOver, type Derived } from "@/lib/derived";
import type { JsonObject } from "@/lib/path";
import { rangeOf, shows, type Landmarks } from "@/lib/range";
import type { Rule } from "@/lib/rules";
import { around, BUFFER, bufferBytes, parseSweep, type Sweep } from "@/lib/sweep";

export const STANDARD: Sweep = { low: 25e3, high: 2.5e6, points: 9 };

type Input = {
  scenario: JsonObject | undefined;
  /** The preset the scenario began with, absent for one that comes from elsewhere. */
  start: Preset | undefined;
  /** The range the person set. */
  set: string | undefined;
  derived: Derived;
  /** What is derived belongs to this scenario. */
  known: boolean;
  rules: Rule[];
  /** What headroom and reserved memory take [B]; null while that is not known yet. */
  kept: number | undefined | null;
};

/** The swept buffer sizes: those the person set, else the preset's while they fit, else those the scenario asks for. */
export function useSweep({ scenario, start, set, derived, known: answered, rules, kept }: Input): {
  sweep: Sweep;
  ready: boolean;
} {
  const known = answered && kept !== null;
  const own = useMemo(
    () => (set === undefined || scenario === undefined ? null : parseSweep(set, scenario)),
    [set, scenario],
  );
  const first = useMemo(() => (start === undefined ? null : parseSweep(start.over[BUFFER], start.scenario)), [start]);
  const edited = start !== undefined && scenario !== start.scenario;
  const marks = useMemo((): Landmarks => {
    const whole = memoryOver(derived);
    return {
      product: derived.bdp === undefined ? undefined : derived.bdp * whole,
      flows: derived.flows,
      rules: rules.filter(({ explanation }) => explanation.valid).map(({ explanation }) => explanation.value * whole),
      buffer: derived.buffer,
      packet: derived.mtu === undefined ? undefined : Math.ceil(derived.mtu * whole),
      ...(kept === undefined || kept === null ? {} : { kept }),
    };
  }, [derived, rules, kept]);
  const written = scenario === undefined ? undefined : bufferBytes(scenario);
  const found = useMemo((): { sweep: Sweep; ready: boolean } => {
    if (own !== null) return { sweep: own, ready: true };
    if (first !== null && (!edited || (known && shows(first, marks)))) return { sweep: first, ready: true };
    const fallback = first ?? (written === undefined ? STANDARD : around(written));
    return { sweep: (known ? rangeOf(marks, first?.points ?? STANDARD.points) : undefined) ?? fallback, ready: known };
  }, [own, first, edited, known, marks, written]);
  // Equal ranges are one object, so that nothing is asked or drawn anew for them.
  const key = JSON.stringify(found);
  return useMemo(() => JSON.parse(key) as { sweep: Sweep; ready: boolean }, [key]);
}
