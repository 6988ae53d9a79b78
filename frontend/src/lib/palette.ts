/** Colours and marks of the plots. Engines differ by dash and marker, never by colour alone. */

export type Scheme = "light" | "dark";

export type Palette = {
  paper: string;
  ink: string;
  muted: string;
  grid: string;
  axis: string;
  /** The scenario on the page. */
  current: string;
  currentBand: string;
  /** The pinned one it is compared with. Blue and orange differ in every common colour blindness. */
  pinned: string;
  pinnedBand: string;
  objective: string;
  /** Losses; these differ by form as well. */
  bad: string;
};

export const palettes: Record<Scheme, Palette> = {
  light: {
    paper: "#ffffff",
    ink: "#1a2027",
    muted: "#5a6570",
    grid: "#e9ecef",
    axis: "#b4bcc4",
    current: "#0b5fa5",
    currentBand: "rgba(11, 95, 165, 0.16)",
    pinned: "#b1540a",
    pinnedBand: "rgba(177, 84, 10, 0.16)",
    objective: "#6f7a85",
    bad: "#b3261e",
  },
  dark: {
    paper: "#15191e",
    ink: "#e4e8ec",
    muted: "#98a3ae",
    grid: "#242a31",
    axis: "#4a545e",
    current: "#6cb4f2",
    currentBand: "rgba(108, 180, 242, 0.2)",
    pinned: "#f0a24e",
    pinnedBand: "rgba(240, 162, 78, 0.2)",
    objective: "#7d8893",
    bad: "#ff8a80",
  },
};

export type Mark =
  | { style: "line"; dash: "dot" | "solid" | "dash" | "dashdot"; width: number }
  | { style: "markers"; symbol: "circle" | "circle-open" | "diamond-open" };

const marks: Record<string, Mark> = {
  theory: { style: "line", dash: "dot", width: 2.25 },
  fluid: { style: "line", dash: "solid", width: 1.75 },
  packet: { style: "markers", symbol: "circle" },
  reference: { style: "markers", symbol: "diamond-open" },
};

/** The same for a 99th percentile beside a median. */
const tails: Record<string, Mark> = {
  theory: { style: "line", dash: "dashdot", width: 1.5 },
  fluid: { style: "line", dash: "dash", width: 1.5 },
  packet: { style: "markers", symbol: "circle-open" },
};

/** How an engine is drawn, everywhere. tail: its 99th percentile beside its median. */
export function markOf(engine: string, tail = false): Mark {
  return (tail ? tails[engine] : undefined) ?? marks[engine] ?? { style: "line", dash: "dashdot", width: 1.5 };
}
