import { expect, test } from "vitest";

import { linkOf, poolOf, poolPath, type SchemeParameters } from "@/lib/headroom";

const parameters: SchemeParameters = {
  owners: new Map([
    ["port_mtu", ["sonic"]],
    ["inflation", ["vendor"]],
    ["response_quanta", ["sonic", "vendor"]],
    ["ports", ["sonic"]],
    ["alpha", ["dsh"]],
    ["queues", ["sonic"]],
  ]),
  pool: new Set(["ports", "cable", "lossless_classes"]),
};

test("the link's question has a speed and a length, and nothing of the pool or the page", () => {
  expect(linkOf({ mtu: 9000, pool: { ports: "2x1G" }, page: { panel: "shipped" } })).toEqual({
    speed: "400 Gb/s",
    cable: "40 m",
    mtu: 9000,
  });
  expect(linkOf({ speed: "25G", delay: "2 us" })).toEqual({ speed: "25G", delay: "2 us" });
});

test("the pool has as many ports as the chip forwards at the link's speed, and the scheme's own parameters", () => {
  const state = {
    speed: "400G",
    cable: "5 m",
    asic: "x",
    mtu: 4096,
    port_mtu: 9216,
    inflation: "none",
    response_quanta: 9,
    queues: 7,
    ports: 3,
    watermark: 1,
  };
  expect(poolOf(state, "sonic", 51.2e12, parameters)).toEqual({
    asic: "x",
    cable: "5 m",
    mtu: 4096,
    ports: "128x400G",
    scheme: { kind: "sonic", port_mtu: 9216, response_quanta: 9 },
    compared: { vendor: { inflation: "none", response_quanta: 9 } },
  });
  expect(poolOf(state, "vendor", 51.2e12, parameters)?.scheme).toEqual({
    kind: "vendor",
    inflation: "none",
    response_quanta: 9,
  });
});

test("what is written for the pool wins, and a headroom in bytes needs no scheme", () => {
  const asked = poolOf(
    { speed: 1e11, asic: "x", pool: { ports: "8x100G@2km", headroom: "1 MB", lossless_classes: 3 } },
    "ieee",
    undefined,
    parameters,
  );
  expect(asked).toEqual({ asic: "x", cable: "40 m", ports: "8x100G@2km", headroom: "1 MB", lossless_classes: 3 });
});

test("link and pool are told the same of a shared headroom pool, whichever form says it", () => {
  const told = { speed: "100G", asic: "x", pool: { over_subscribe_ratio: 2 } };
  expect(linkOf(told)).toMatchObject({ over_subscribe_ratio: 2 });
  expect(linkOf({ asic: "x", pool: { headroom_pool: "4 MB" } })).toMatchObject({ shared_headroom_pool: "4 MB" });
  expect(poolOf({ speed: "100G", asic: "x", over_subscribe_ratio: 2 }, "sonic", 3.2e12, parameters)).toMatchObject({
    over_subscribe_ratio: 2,
  });
  expect(poolOf({ speed: "100G", asic: "x", over_subscribe_ratio: 0 }, "sonic", 3.2e12, parameters)).not.toHaveProperty(
    "over_subscribe_ratio",
  );
  expect(
    poolOf(
      { speed: "100G", asic: "x", shared_headroom_pool: "4 MB", pool: { over_subscribe_ratio: 3 } },
      "sonic",
      3.2e12,
      parameters,
    ),
  ).not.toHaveProperty("headroom_pool");
});

test("a delay becomes the cable that has it", () => {
  expect(poolOf({ speed: "100G", delay: "1.5 us", asic: "x" }, "ieee", 3.2e12, parameters)).toMatchObject({
    cable: 300,
    ports: "32x100G",
  });
});

test("pools as configured are checked alone, and without a memory there is nothing to ask", () => {
  expect(poolOf({ asic: "x", pool: { pools: "a=1+2" } }, "sih", 1e12, parameters)).not.toHaveProperty("ports");
  expect(poolOf({ speed: "100G" }, "sih", undefined, parameters)).toBeUndefined();
  expect(poolOf({ speed: "100G", pool: { buffer: "9 MB" } }, "sih", undefined, parameters)).toMatchObject({
    buffer: "9 MB",
  });
});

test("what the API objects to is found at its field", () => {
  const state = { asic: "x", pool: { buffer: "9 MB" } };
  expect(
    [
      "asic",
      "cable",
      "buffer",
      "ports.0.cable",
      "pools.1.size",
      "scheme.port_mtu",
      "compared.sonic.port_mtu",
      "incast.degree",
    ].map((path) => poolPath(path, state)),
  ).toEqual(["asic", "cable", "pool.buffer", "pool.ports", "pool.pools", "port_mtu", "port_mtu", "pool.incast.degree"]);
});
