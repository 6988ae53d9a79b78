import { expect, test } from "vitest";

import { isProbing, offeredSizes, transferSize, withoutUnusedSize } from "@/lib/oneMore";

test("the size is the scenario's, or what the server takes", () => {
  expect(transferSize(undefined)).toBe("1 MB");
  expect(transferSize({ run: { transfer: "10kB" } })).toBe("10 kB");
  expect(transferSize({ run: { transfer: 2e6 } })).toBe("2 MB");
});

test("an own size is offered beside the usual ones", () => {
  expect(offeredSizes("1 MB")).toEqual(["10 kB", "1 MB", "100 MB"]);
  expect(offeredSizes("2 MB")).toEqual(["10 kB", "1 MB", "100 MB", "2 MB"]);
});

test("packet runs depend on the size only while they probe", () => {
  expect(withoutUnusedSize({ run: { transfer: "10 kB", seed: 1 } })).toEqual({ run: { seed: 1 } });
  const probing = { run: { transfer: "10 kB", probe_share: 0.01 } };
  expect(isProbing(probing)).toBe(true);
  expect(withoutUnusedSize(probing)).toEqual(probing);
  expect(isProbing({ run: { probe_share: null } })).toBe(false);
});
