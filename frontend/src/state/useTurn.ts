import { useEffect, useMemo, useRef } from "react";

/**
 * Which of several choices holds whose effect waits for the server: the last one, while `place` is the same, the view
 * is open and the browser did not go back or forward.
 */
export function useTurn(place: string) {
  const last = useRef(0);
  useEffect(() => {
    const leave = () => {
      last.current += 1;
    };
    window.addEventListener("popstate", leave);
    return () => {
      window.removeEventListener("popstate", leave);
      leave();
    };
  }, [place]);
  return useMemo(
    () => ({
      take: () => (last.current += 1),
      holds: (turn: number) => turn === last.current,
    }),
    [],
  );
}
