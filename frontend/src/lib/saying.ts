/**
 * Marks an element that shows one engine's value of a metric at a buffer size [B], wherever on the page it stands, so
 * that a test can compare all elements that show the same value.
 */
export const saying = (engine: string, metric: string, size: number) => ({
  "data-engine": engine,
  "data-metric": metric,
  "data-size": String(Number(size.toPrecision(6))),
});
