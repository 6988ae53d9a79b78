import type * as Plotly from "plotly.js";

let loading: Promise<typeof Plotly> | undefined;

/** Plotly, fetched once. */
export function loadPlotly(): Promise<typeof Plotly> {
  loading ??= import("plotly.js-basic-dist-min").then((module) => {
    const bundle = module as unknown as { default?: typeof Plotly };
    return bundle.default ?? module;
  });
  return loading;
}
