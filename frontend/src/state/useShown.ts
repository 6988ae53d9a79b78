import { useEffect, useRef, type RefObject } from "react";

/** The question that is shown now, for answers that come later; undefined once the view was left. */
export function useShown(key: string | undefined): RefObject<string | undefined> {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = key;
    return () => {
      shown.current = undefined;
    };
  }, [key]);
  return shown;
}
