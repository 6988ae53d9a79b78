/** Where things lie on the chart, in pixels: three stacked plots under one strip of scales and rule labels. */

export type Box = { top: number; height: number };
export type Geometry = { width: number; height: number; left: number; right: number; plots: Box[]; strip: Box };

const LEFT = 66;
const RIGHT = 16;
const SCALES = 40; // the two upper scales
const STRIP = 30; // two rows of rule labels
const HEADING = 24; // a plot's title above it
const BOTTOM = 30; // the byte scale

export function geometryOf(width: number, height: number, count = 3): Geometry {
  const room = Math.max(height - SCALES - STRIP - BOTTOM - count * HEADING, count * 40);
  const each = room / count;
  const first = SCALES + STRIP;
  const plots = Array.from({ length: count }, (_, i) => ({
    top: first + HEADING + i * (each + HEADING),
    height: each,
  }));
  return { width, height, left: LEFT, right: RIGHT, plots, strip: { top: SCALES, height: STRIP } };
}

/** Pixel of a value on the shared logarithmic axis. */
export function xPixel(value: number, range: [number, number], { width, left, right }: Geometry): number {
  const share = Math.log(value / range[0]) / Math.log(range[1] / range[0]);
  return left + share * (width - left - right);
}

/** Value under a pixel, or undefined outside the plots. */
export function xValue(pixel: number, range: [number, number], { width, left, right }: Geometry): number | undefined {
  const share = (pixel - left) / (width - left - right);
  return share < 0 || share > 1 ? undefined : range[0] * (range[1] / range[0]) ** share;
}

/** Rows for labels centred on pixels so that none overlap where a further row helps. */
export function stagger(labels: { x: number; width: number }[], rows = 2): number[] {
  const ends = Array.from({ length: rows }, () => -Infinity);
  return labels.map(({ x, width }) => {
    const start = x - width / 2;
    let row = ends.findIndex((end) => end + 6 <= start);
    if (row < 0) row = ends.indexOf(Math.min(...ends));
    ends[row] = x + width / 2;
    return row;
  });
}
