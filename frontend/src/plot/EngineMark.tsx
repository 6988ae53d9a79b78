import { markOf } from "@/lib/palette";

/** The line and marker of an engine in the plots, as a small sign beside its name. */
export function EngineMark({ engine }: { engine: string }) {
  const mark = markOf(engine);
  return (
    <svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true" style={{ flex: "none" }}>
      {mark.style === "line" ? (
        <line
          x1="1"
          x2="21"
          y1="5"
          y2="5"
          stroke="currentColor"
          strokeWidth={mark.width}
          strokeDasharray={mark.dash === "dot" ? "2.2 2.6" : undefined}
        />
      ) : mark.symbol === "circle" ? (
        <circle cx="11" cy="5" r="3.6" fill="currentColor" />
      ) : (
        <path d="M11 1 L15 5 L11 9 L7 5 Z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
    </svg>
  );
}
