import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";

import { decodeComparison, encodeComparison, SLOTS, type Comparison, type Slot } from "@/lib/compare";
import { useAddress, type Codec } from "@/state/useAddress";

const codec: Codec<Comparison> = { decode: decodeComparison, encode: encodeComparison };
const KEY = "footroom.comparison";

/**
 * What is kept for the comparison while another view is open; a browser that stores nothing keeps it until it is
 * closed.
 */
let kept = stored();
const listeners = new Set<() => void>();

function stored(): string {
  try {
    return window.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keep(query: string) {
  if (query === kept) return;
  kept = query;
  try {
    window.localStorage.setItem(KEY, query);
  } catch {
    // Kept in memory.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The comparison as another view sees it: its address, and what adds a scenario to it. */
export function useKeptComparison() {
  const query = useSyncExternalStore(subscribe, () => kept);
  const { slots } = decodeComparison(query);
  const add = useCallback((slot: Slot) => {
    const before = decodeComparison(kept);
    // A fourth replaces the last one.
    keep(encodeComparison({ ...before, slots: [...before.slots.slice(0, SLOTS.length - 1), slot] }));
  }, []);
  return { query, slots, add };
}

/** The comparison of the address; an empty address means the one that was kept. */
export function useComparison() {
  const [written, set] = useAddress(codec);
  const query = encodeComparison(written);
  const shelf = useSyncExternalStore(subscribe, () => kept);
  const empty = written.slots.length === 0;
  const state = useMemo(
    () => (empty ? { ...decodeComparison(shelf), metric: written.metric, engine: written.engine } : written),
    [empty, shelf, written],
  );
  useEffect(() => {
    if (!empty) keep(query);
  }, [empty, query]);
  const change = useCallback(
    (patch: Partial<Comparison>) => {
      const next = { ...state, ...patch };
      keep(encodeComparison(next));
      set(() => next, patch.slots === undefined ? "replace" : "push");
    },
    [set, state],
  );
  return { state, change };
}
