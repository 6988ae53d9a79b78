import type { Figure } from "@/lib/figure";
import { loadPlotly } from "@/plot/load";

/** The figure as a PNG, at twice its size so that it prints well; made in the browser, sent nowhere. */
export async function pngOf({ data, layout }: Figure): Promise<string> {
  const plotly = await loadPlotly();
  const [width, height] = [layout.width ?? 1200, layout.height ?? 800];
  return plotly.toImage({ data, layout }, { format: "png", width, height, scale: 2 });
}
