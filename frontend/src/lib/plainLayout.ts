import type { Palette } from "@/lib/palette";

const FONT = '"Inter Variable", system-ui, sans-serif';
/** A picture is drawn without the page's typeface, so its text is measured in one that any system has. */
const PRINT_FONT = "Helvetica, Arial, sans-serif";

type Size = { width: number; height: number };

/** What all plots have: their size, the page's colours and font, and neither legend nor hover of Plotly's own. */
export const plainLayout = ({ width, height }: Size, palette: Palette, print = false) => ({
  width,
  height,
  paper_bgcolor: palette.paper,
  plot_bgcolor: palette.paper,
  font: { family: print ? PRINT_FONT : FONT, size: 11, color: palette.muted },
  hovermode: false as const,
  dragmode: false as const,
  showlegend: false,
});
