import { useEffect } from "react";

/** Keys that work wherever the focus is. */
export function useHotkeys({ run, cancel }: { run: () => void; cancel: (() => void) | undefined }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        run();
      }
      // A menu that closes on Escape has used the key up.
      if (event.key === "Escape" && cancel !== undefined && !event.defaultPrevented) cancel();
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
    };
  }, [run, cancel]);
}
