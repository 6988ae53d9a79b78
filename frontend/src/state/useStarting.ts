import { useCallback, useState } from "react";

import { useShown } from "@/state/useShown";

/**
 * Starts what answers the question `key`. Whether it is being started, and why it was refused, is said of this question
 * alone. An answer that comes after the question changed goes to `dropped`, one after the view was left nowhere.
 */
export function useStarting(key: string | undefined) {
  const [starting, setStarting] = useState<string>();
  const [refused, setRefused] = useState<{ key: string; error: Error }>();
  const shown = useShown(key);
  const begin = useCallback(
    (start: () => Promise<string>, kept: (id: string) => void, dropped: (id: string) => void) => {
      if (key === undefined) return;
      setStarting(key);
      setRefused(undefined);
      start()
        .then((id) => {
          if (shown.current === key) kept(id);
          else if (shown.current !== undefined) dropped(id);
        })
        .catch((reason: unknown) => {
          setRefused({ key, error: reason instanceof Error ? reason : new Error(String(reason)) });
        })
        .finally(() => {
          setStarting((current) => (current === key ? undefined : current));
        });
    },
    [key, shown],
  );
  return {
    begin,
    starting: key !== undefined && starting === key,
    error: refused !== undefined && refused.key === key ? refused.error : undefined,
  };
}
