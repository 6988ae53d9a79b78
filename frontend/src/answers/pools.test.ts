import { expect, test } from "vitest";

import { fitting, overflow } from "@/answers/Pool";
import type { PoolAnswer } from "@/api/pool";
import { part } from "@/test/part";

const amount = (bytes: number) => ({ bytes, cells: null, share: bytes / 100e6 });
const chip = { buffer: 100e6, cell_size: null, cells: null, source: "" };
const pools = (feasible: boolean, bytes: number, free: number) =>
  part<NonNullable<PoolAnswer["pools"]>>({ feasible, bytes, free_bytes: free });

test("pools that ask for more than the chip has are summed, though the ports would fit", () => {
  const ports = { memory: chip, outside: "", committed: amount(60e6), footroom: amount(40e6) };
  const found = fitting(part<PoolAnswer>({ ...ports, feasible: false, pools: pools(false, 130e6, -30e6), reason: "" }));
  expect(found.value).toBe("30.0 MB");
  expect(found.before).toBe("No,");
  expect(found.after).toBe("too much: 130 MB of 100 MB are needed, 130 %.");
});

test("where the ports alone ask for too much, theirs is the sum", () => {
  const ports = { memory: chip, outside: "", committed: amount(120e6), footroom: amount(-20e6) };
  const found = fitting(part<PoolAnswer>({ ...ports, feasible: false, pools: pools(true, 90e6, 10e6), reason: "" }));
  expect(`${found.value} ${found.after}`).toBe("20.0 MB too much: 120 MB of 100 MB are needed, 120 %.");
  const fits = fitting(part<PoolAnswer>({ ...ports, feasible: true, pools: null, footroom: amount(40e6) }));
  expect([fits.before, fits.value, fits.verdict]).toEqual(["Yes, with", "40.0 MB", "good"]);
});

type Pauses = NonNullable<PoolAnswer["pauses"]>;
type Case = Pauses["cases"][number];
const asked = (...cases: Case[]) =>
  part<PoolAnswer>({ pauses: part<Pauses>({ target: 1e-6, ratio: 4, cases }), outside: "" });
const one = (correlation: number, exceeded: number, bytes: number, ratio: number | null) =>
  part<Case>({ correlation, exceeded, smallest: part<Case["smallest"]>({ bytes, ratio }) });

test("without correlation the pauses are independent, and that is said once", () => {
  const found = overflow(asked(one(0, 1e-7, 5e6, 8)));
  expect(found?.value).toBe("8.00:1");
  expect(found?.note).toBe("safe for independent pauses");
  expect(found?.after).toMatch(/^with independent pauses, for an overflow probability/);
  expect(found?.after).not.toContain("ρ");
});

test("with correlation both are told", () => {
  const found = overflow(asked(one(0, 1e-7, 5e6, 8), one(0.1, 0.02, 2e7, 2)));
  expect([found?.value, found?.verdict]).toEqual(["2.00:1", "bad"]);
  expect(found?.after).toContain("with pauses correlated by ρ = 0.1, 8.00:1 if they are independent");
});

test("where no group ever pauses any ratio holds", () => {
  const found = overflow(asked(one(0.1, 0, 0, null)));
  expect([found?.before, found?.value, found?.verdict]).toEqual(["At", "any ratio", "good"]);
  expect(found?.after).toContain("no priority group pauses");
});
