import { loadPlotly } from "@/plot/load";
import { pngOfSvg } from "@/plot/svgImage";

const area = (element: Element) => {
  const { width, height } = element.getBoundingClientRect();
  return width * height;
};

/** Whether the page shows a drawing that is more than a symbol. */
const LEAST = 10_000;

/** The largest drawing below `root` as a PNG at twice its size; undefined where there is none. */
export async function pngOfLargest(root: Element): Promise<string | undefined> {
  const plots = [...root.querySelectorAll<HTMLElement>(".js-plotly-plot")];
  const drawings = [...root.querySelectorAll<SVGSVGElement>("svg")].filter(
    (one) => one.closest(".js-plotly-plot") === null,
  );
  const [largest] = [...plots, ...drawings].toSorted((a, b) => area(b) - area(a));
  if (largest === undefined || area(largest) < LEAST) return undefined;
  if (largest instanceof SVGSVGElement) return await pngOfSvg(largest);
  const { width, height } = largest.getBoundingClientRect();
  return await (await loadPlotly()).toImage(largest, { format: "png", width, height, scale: 2 });
}
