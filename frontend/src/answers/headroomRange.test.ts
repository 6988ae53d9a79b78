import { expect, test } from "vitest";

import { bySum, range } from "@/answers/HeadroomSchemes";
import type { HeadroomAnswer } from "@/api/headroom";
import type { PoolAnswer } from "@/api/pool";
import { part } from "@/test/part";

type Scheme = NonNullable<HeadroomAnswer["schemes"][string]>;

const answer = part<HeadroomAnswer>({
  inputs: part<HeadroomAnswer["inputs"]>({ speed: 400e9, cable: 300 }),
  schemes: {
    sih: part<Scheme>({ title: "Static", outside: "", headroom: 156840 }),
    vendor: part<Scheme>({ title: "Vendor's rule", outside: "", headroom: 835914 }),
  },
  range: part<HeadroomAnswer["range"]>({
    lowest: { scheme: "sih", headroom: 156840 },
    highest: { scheme: "vendor", headroom: 835914 },
  }),
});
const chip = (feasible: boolean, bytes: number) =>
  part<PoolAnswer>({ feasible, footroom: part<PoolAnswer["footroom"]>({ bytes }) });

test("the vendor's rule is advised where the chip holds it", () => {
  expect(range(answer, chip(true, 1e6)).after).toMatch(/take the vendor's rule: 835.914 B/);
  expect(range(answer).after).toContain("take the vendor's rule");
});

test("a rule that does not fit the chip is said not to, before anything else, and is not advised", () => {
  const { before, after } = range(answer, chip(false, -47878492));
  expect(before).toMatch(/^The vendor's rule, 835.914 B, does not fit this chip: .* 47.9 MB more than its memory/);
  expect(after).not.toContain("take the vendor's rule");
  expect(after).toContain("Share the headroom in a pool");
});

test("a number outside validity is said to be, and its rule is not advised", () => {
  const outside = "limits are known to 800 Gb/s";
  const { vendor, sih } = answer.schemes;
  const one = (scheme: Scheme | undefined) => part<Scheme>({ ...scheme, outside, lines: [], holds: "these" });
  const some = range({ ...answer, schemes: { sih: one(sih), vendor: part<Scheme>({ ...vendor }) } });
  expect(some.after).toMatch(/take the vendor's rule.* Outside validity here: Static\.$/);
  expect(some.outside).toBeUndefined();
  const none = range({ ...answer, schemes: { sih: one(sih), vendor: one(vendor) } });
  expect(none.after).not.toContain("take the vendor's rule");
  expect(none.outside).toBe(outside);
  expect(bySum(answer, one(vendor)).outside).toBe(outside);
});
