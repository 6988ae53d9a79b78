import { useEffect, useId, useSyncExternalStore } from "react";

/** Labels of the fields whose text or value is wrong, by the row that shows them. */
const wrong = new Map<string, string>();
const listeners = new Set<() => void>();
let labels: readonly string[] = [];

function publish() {
  labels = [...new Set(wrong.values())];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Reports a field as wrong for as long as it is shown and `invalid`. */
export function useReportInvalid(label: string, invalid: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!invalid) return;
    wrong.set(id, label);
    publish();
    return () => {
      wrong.delete(id);
      publish();
    };
  }, [id, label, invalid]);
}

/** Labels of the fields on the page that are wrong; what is computed then belongs to the last valid values. */
export function useInvalidFields(): readonly string[] {
  return useSyncExternalStore(subscribe, () => labels);
}
