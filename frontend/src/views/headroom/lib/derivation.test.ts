import { expect, test } from "vitest";

import { derivationCsv, derivationText } from "./derivation";

const scheme = {
  title: "IEEE",
  headroom: 1584,
  formula: "a + b",
  holds: "always",
  departures: "none",
  notes: ["mind this"],
  lines: [
    { name: "Frame, own", bytes: 1500, formula: "1480 + 20 B", source: "802.3", part: "frames" },
    { name: "PFC frame", bytes: 84, formula: "64 + 20 B", source: 'the "annex"', part: "frames" },
  ],
};

test("a derivation reads as a table whose lines add up", () => {
  const text = derivationText("100 Gb/s over 300 m", scheme);
  expect(text).toContain("IEEE: 1\u202f584 B for 100 Gb/s over 300 m");
  expect(text).toContain('| PFC frame | 84 B | 64 + 20 B | the "annex" |');
  expect(text).toContain("Note: mind this.");
});

test("a spreadsheet gets bare numbers and whole cells", () => {
  expect(derivationCsv({ ieee: scheme }).split("\n")).toEqual([
    "scheme,line,bytes,part,formula,source",
    'ieee,"Frame, own",1500,frames,1480 + 20 B,802.3',
    'ieee,PFC frame,84,frames,64 + 20 B,"the ""annex"""',
    "",
  ]);
});

test("a spreadsheet never takes a cell for a formula", () => {
  const lines = [{ name: "=1+1", bytes: -84, formula: "-x, @y", source: "+1", part: "frames" }];
  expect(derivationCsv({ ieee: { ...scheme, lines } }).split("\n")[1]).toBe(`ieee,'=1+1,-84,frames,"'-x, @y",'+1`);
});
