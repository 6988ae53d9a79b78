/** A diverging scale for growth rates: blue dies out, orange grows; the two stay apart in every colour blindness. */
import type { Scheme } from "@/lib/palette";

type Rgb = readonly [number, number, number];

const ends: Record<Scheme, { below: Rgb; zero: Rgb; above: Rgb }> = {
  light: { below: [33, 102, 172], zero: [247, 247, 247], above: [196, 90, 17] },
  dark: { below: [74, 149, 222], zero: [34, 40, 46], above: [240, 150, 70] },
};

export type Growth = { scale: number; largest: number };

/** The scale of a map: linear up to the middle of what there is, logarithmic beyond, so that the border stays sharp. */
export function growthScale(values: readonly (number | null)[]): Growth {
  const sizes = values
    .flatMap((value) => (value === null || value === 0 ? [] : [Math.abs(value)]))
    .sort((a, b) => a - b);
  return { scale: sizes[Math.floor(sizes.length / 2)] ?? 1, largest: sizes[sizes.length - 1] ?? 1 };
}

/** From -1 to 1. */
export const share = (value: number, { scale, largest }: Growth) =>
  Math.asinh((3 * value) / scale) / Math.asinh((3 * largest) / scale);

/** The colour of a share from -1 to 1; the least that is not zero is told from it. */
export function colourOf(at: number, scheme: Scheme): string {
  const { below, zero, above } = ends[scheme];
  const end = at < 0 ? below : above;
  const strength = at === 0 ? 0 : 0.12 + 0.88 * Math.min(1, Math.abs(at));
  return `rgb(${zero.map((channel, i) => Math.round(channel + strength * ((end[i] ?? channel) - channel))).join(",")})`;
}
