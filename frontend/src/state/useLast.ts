import { useState } from "react";

import { Unreachable } from "@/api/problem";

type Asked<T> = { data: T | undefined; error: Error | null; isPlaceholderData: boolean };

/** An answer that stays while the server cannot be reached; `stale` when it belongs to an earlier question. */
export function useLast<T>({ data, error, isPlaceholderData }: Asked<T>): {
  data: T | undefined;
  error: Error | null;
  stale: boolean;
} {
  const [last, setLast] = useState<T>();
  if (data !== undefined && data !== last) setLast(data);
  const kept = data === undefined && error instanceof Unreachable ? last : undefined;
  return { data: data ?? kept, error, stale: isPlaceholderData || kept !== undefined };
}
