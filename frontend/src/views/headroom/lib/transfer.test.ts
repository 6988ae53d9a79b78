import { expect, test } from "vitest";

import { exportOf, poolsText, portsText } from "./transfer";

test("an export asks for what the pool is divided by", () => {
  expect(
    exportOf({
      asic: "x",
      ports: "2x100G",
      cable: "5 m",
      mtu: 4096,
      lossless_classes: 3,
      scheme: { kind: "sonic", port_mtu: 9216 },
      alpha_lossless: 0.5,
      congested_lossy: 4,
      marking: { kmin: "1 kB", kmax: "2 kB", sources: 2 },
    }),
  ).toEqual({
    asic: "x",
    ports: "2x100G",
    cable: "5 m",
    lossless: [2, 3, 4],
    scheme: "sonic",
    scheme_settings: { port_mtu: 9216 },
    alpha_lossless: 0.5,
    kmin: "1 kB",
    kmax: "2 kB",
  });
  expect(exportOf({ asic: "x", headroom: "1 MB" })).toEqual({ asic: "x", headroom: "1 MB", lossless: [3, 4] });
});

test("ports that are alike are counted", () => {
  const port = (speed: number, cable: number | null) => ({ speed, cable });
  expect(portsText([port(1e11, 300), port(4e11, null), port(1e11, 300), port(1e11, 5)])).toBe(
    "2x100 Gb/s@300 m, 1x400 Gb/s, 1x100 Gb/s@5 m",
  );
});

test("pools are written with their headroom, and one without a size not at all", () => {
  expect(poolsText({ a: { size: 26531072, xoff: 6291456 }, b: { size: 5, xoff: 0 }, c: { size: null, xoff: 1 } })).toBe(
    "a=26531072+6291456, b=5",
  );
});
