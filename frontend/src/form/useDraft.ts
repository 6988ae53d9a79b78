import { useCallback, useEffect, useRef, useState } from "react";

/** Milliseconds without a key press after which what was typed takes effect. */
const PAUSE = 300;

/**
 * Text being typed: it takes effect after a short pause, or at once on leaving the field.
 * `commit` returns what is wrong with the text, if anything.
 */
export function useDraft(shown: string, commit: (text: string) => string | undefined) {
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const timer = useRef<number>(undefined);
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );

  const apply = useCallback((text: string) => {
    window.clearTimeout(timer.current);
    const problem = latest.current(text);
    setError(problem);
    return problem;
  }, []);

  const type = (text: string) => {
    setDraft(text);
    window.clearTimeout(timer.current);
    // An emptied field is on its way to a new value; it means the default once the field is left.
    if (text.trim() !== "") timer.current = window.setTimeout(() => apply(text), PAUSE);
  };

  const leave = () => {
    if (draft !== null && apply(draft) === undefined) setDraft(null);
  };

  /** Takes effect at once and stays in the field. */
  const put = (text: string) => {
    setDraft(text);
    apply(text);
  };

  return { text: draft ?? shown, error: draft === null ? undefined : error, type, leave, put };
}
