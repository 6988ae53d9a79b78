import { expect, test } from "vitest";

import { flags } from "@/lib/flags";

test("every field is an option, quoted where a shell would cut it", () => {
  expect(flags({ speed: "100 Gb/s", cable: 300, asic: "tomahawk", ports: "32x100G@300m", small_packet_percentage: 50 })).toEqual([
    "--speed '100 Gb/s'", "--cable 300", "--asic tomahawk", "--ports 32x100G@300m", "--small-packet-percentage 50",
  ]);
  expect(flags({ pools: "it's" })).toEqual(["--pools 'it'\\''s'"]);
});

test("groups are flattened, and a part's parameters are set", () => {
  expect(flags({ marking: { kmin: "1 kB", kmax: 2 }, scheme: { kind: "sonic", lanes: 8 } })).toEqual(["--marking-kmin '1 kB'", "--marking-kmax 2", "--scheme sonic", "--set scheme.lanes=8"]);
});
