import type * as Plotly from "plotly.js";

let loading: Promise<typeof Plotly> | undefined;

/** Plotly, fetched when the first plot is drawn. */
export function loadPlotly(): Promise<typeof Plotly> {
  loading ??= import("plotly.js-cartesian-dist-min").then((module) => {
    const bundle = module as unknown as { default?: typeof Plotly };
    return bundle.default ?? (module);
  });
  return loading;
}
