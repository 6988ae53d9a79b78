/** Names beside points of a plot, as far as there is room for them. */

export type Anchor = "right" | "left" | "above" | "below";
export type Rectangle = { left: number; right: number; top: number; bottom: number };

const HEIGHT = 14;
const GAP = 9;

const overlaps = (a: Rectangle, b: Rectangle) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function around({ x, y, width }: { x: number; y: number; width: number }, anchor: Anchor): Rectangle {
  const half = HEIGHT / 2;
  if (anchor === "right") return { left: x + GAP, right: x + GAP + width, top: y - half, bottom: y + half };
  if (anchor === "left") return { left: x - GAP - width, right: x - GAP, top: y - half, bottom: y + half };
  const top = anchor === "above" ? y - GAP - HEIGHT : y + GAP;
  return { left: x - width / 2, right: x + width / 2, top, bottom: top + HEIGHT };
}

/**
 * Where each name goes so that none lies on another, on a point or outside; undefined where there is no such place.
 * `avoid`: what names should not lie on, but may where there is no other room.
 */
export function placeLabels(
  points: { x: number; y: number; width: number }[],
  bounds: Rectangle,
  avoid: Rectangle[] = [],
): (Anchor | undefined)[] {
  const taken: Rectangle[] = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  const inside = ({ left, right, top, bottom }: Rectangle) =>
    left >= bounds.left && right <= bounds.right && top >= bounds.top && bottom <= bounds.bottom;
  return points.map((point) => {
    const free = (["right", "above", "below", "left"] as const).filter((anchor) => {
      const place = around(point, anchor);
      return inside(place) && !taken.some((other) => overlaps(place, other));
    });
    const found = free.find((anchor) => !avoid.some((other) => overlaps(around(point, anchor), other))) ?? free[0];
    if (found !== undefined) taken.push(around(point, found));
    return found;
  });
}
