import type { ShippedTable } from "@/api/headroom";

// The API leaves out what it has nothing to say about, so texts may be absent.

/**
 * What a shipped table gives the link: its own row, else the line through its neighbours; undefined where none can be
 * read.
 */
export function shippedXoff({ exact, law }: ShippedTable): number | undefined {
  if (exact !== null) return exact.xoff;
  return law === null || law.note ? undefined : law.xoff;
}

/** A row that repeats another's value, or a table that a collector doubted. */
export const isDoubtful = ({ exact, quality }: ShippedTable): boolean => quality !== "asic" || Boolean(exact?.repeats);
