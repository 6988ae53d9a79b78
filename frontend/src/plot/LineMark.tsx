import type { LineStyle } from "@/lib/timePanels";

const dashes: Partial<Record<LineStyle, string>> = { dash: "5 3", dot: "1.6 2.4" };

/** How a line or bars are drawn over time, as a small sign beside the name. */
export function LineMark({ style }: { style: LineStyle }) {
  return (
    <svg width="20" height="10" viewBox="0 0 20 10" aria-hidden="true" style={{ flex: "none" }}>
      {style === "bars" ? (
        <path d="M4 10 V4 H8 V10 Z M11 10 V1 H15 V10 Z" fill="currentColor" />
      ) : style === "marks" ? (
        <path d="M6.5 1.5 L13.5 8.5 M13.5 1.5 L6.5 8.5" stroke="currentColor" strokeWidth="1.6" />
      ) : style === "hatched" ? (
        <path
          d="M4 9.5 V4 H8 V9.5 Z M11 9.5 V1 H15 V9.5 Z M4 8 L8 5 M11 8 L15 4 M11 5 L15 1.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="0.9"
        />
      ) : (
        <line x1="1" x2="19" y1="5" y2="5" stroke="currentColor" strokeWidth="1.8" strokeDasharray={dashes[style]} />
      )}
    </svg>
  );
}
