import { expect, test } from "vitest";

import { flags } from "@/lib/flags";
import type { JsonObject } from "@/lib/path";

const form: JsonObject = {
  properties: {
    speed: {},
    cable: {},
    asic: {},
    ports: {},
    pools: {},
    small_packet_percentage: {},
    scheme: {},
    marking: { $ref: "#/Marking" },
  },
};
const root: JsonObject = { Marking: { type: "object", properties: { kmin: {}, kmax: {} } } };

test("every field is an option, quoted where a shell would cut it", () => {
  expect(
    flags(
      { speed: "100 Gb/s", cable: 300, asic: "tomahawk", ports: "32x100G@300m", small_packet_percentage: 50 },
      form,
      root,
    ),
  ).toEqual([
    "--speed '100 Gb/s'",
    "--cable 300",
    "--asic tomahawk",
    "--ports 32x100G@300m",
    "--small-packet-percentage 50",
  ]);
  expect(flags({ pools: "it's" }, form, root)).toEqual(["--pools 'it'\\''s'"]);
});

test("groups are flattened, and a part's parameters are set", () => {
  const document = { marking: { kmin: "1 kB", kmax: 2 }, scheme: { kind: "sonic", lanes: 8 } };
  expect(flags(document, form, root)).toEqual([
    "--scheme sonic",
    "--set scheme.lanes=8",
    "--marking-kmin '1 kB'",
    "--marking-kmax 2",
  ]);
});

test("what is no field is no option, at any depth", () => {
  const document: JsonObject = {
    "x;touch /tmp/x;#": 1,
    json: true,
    toString: 1,
    marking: { "kmin;reboot": 1, kmax: 2 },
  };
  expect(flags(document, form, root)).toEqual(["--marking-kmax 2"]);
});

test("a value that begins with a dash stays the value of its option", () => {
  expect(flags({ speed: "--json", cable: -3, asic: "-x y" }, form, root)).toEqual([
    "--speed=--json",
    "--cable=-3",
    "'--asic=-x y'",
  ]);
});
