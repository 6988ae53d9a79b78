import type { lookOf, PaperFigure } from "@/views/papers/lib/paperFigure";

const dashes: Record<string, string | undefined> = {
  dash: "6 4",
  dot: "1.6 2.6",
  dashdot: "6 3 1.6 3",
  longdash: "9 3",
  longdashdot: "9 3 1.6 3",
};
const signs: Record<string, string> = {
  circle: "M7 1.8 A3.2 3.2 0 1 1 6.99 1.8 Z",
  "diamond-open": "M7 0.8 L11.2 5 L7 9.2 L2.8 5 Z",
  square: "M4 2 H10 V8 H4 Z",
  "triangle-up-open": "M7 1.2 L10.8 8.4 H3.2 Z",
  x: "M4 2 L10 8 M10 2 L4 8",
  "star-open": "M7 0.6 L8.2 3.8 L11.4 3.8 L8.8 5.8 L9.8 9 L7 7 L4.2 9 L5.2 5.8 L2.6 3.8 L5.8 3.8 Z",
};
const hatches: Record<string, string> = {
  "/": "M3 8 L8 3 M6 9 L11 4",
  ".": "M5 4 h1 M9 4 h1 M5 7 h1 M9 7 h1",
  x: "M4 2 L10 9 M10 2 L4 9",
  "-": "M3 4 H11 M3 7 H11",
  "+": "M7 1 V9 M3 5 H11",
};

/** How a curve is drawn, as a small sign beside its name. */
export function CurveMark({
  kind,
  look: { colour, dash, sign, pattern },
}: {
  kind: PaperFigure["kind"];
  look: ReturnType<typeof lookOf>;
}) {
  const line = kind === "line" || kind === "cdf";
  const filled = !line && (kind === "bars" ? pattern === "" : !sign.endsWith("-open") && sign !== "x");
  return (
    <svg
      width={line ? 24 : 14}
      height="10"
      viewBox={line ? "0 0 24 10" : "0 0 14 10"}
      aria-hidden="true"
      style={{ flex: "none" }}
    >
      {line ? (
        <line x1="1" x2="23" y1="5" y2="5" stroke={colour} strokeWidth="1.8" strokeDasharray={dashes[dash]} />
      ) : (
        <path
          d={kind === "bars" ? "M3 1 H11 V9 H3 Z" : (signs[sign] ?? "")}
          fill={filled ? colour : "none"}
          stroke={colour}
          strokeWidth="1.2"
        />
      )}
      {kind === "bars" && pattern !== "" && <path d={hatches[pattern]} fill="none" stroke={colour} strokeWidth="1.2" />}
    </svg>
  );
}
