import { expect, test } from "vitest";

import { csvOf, findingOf, type ControlsRow } from "@/lib/controls";

const row = (control: string, value: number | null, more: Partial<ControlsRow> = {}): ControlsRow => ({
  control,
  title: control.toUpperCase(),
  flows: 50,
  engine: "fluid",
  status: value === null ? "missed" : "found",
  value,
  interval: null,
  binding: null,
  reason: "",
  outside: "",
  notes: [],
  changes: [],
  settings: {},
  command: "",
  ...more,
});

test("the sentence names the controls that need least and most", () => {
  const found = findingOf([row("cubic", 2e5), row("newreno", 8e5)], "utilisation at least 99 %", 50);
  expect(found?.value).toBe("4 times");
  expect(found?.after).toContain("CUBIC needs 200 kB and NEWRENO 800 kB by the fluid model");
});

test("controls that the question is about are named with their sizes, also between the ends", () => {
  const ends = [row("hystart", 2e5), row("newreno", 8e5)];
  expect(findingOf([...ends, row("dctcp", 437e3)], "x", 50)?.after).toContain(" DCTCP needs 437 kB.");
  const closed = row("dctcp", 437e3, { engine: "theory" });
  expect(findingOf([...ends, closed], "x", 50)?.after).toContain(" DCTCP needs 437 kB by the closed form.");
  const none = findingOf([...ends, row("dctcp", null), closed], "x", 50);
  expect(none?.after).toContain("No buffer is found for DCTCP.");
  expect(none?.after).not.toContain("closed form");
  expect(findingOf([row("dctcp", 4e5), row("newreno", 8e5)], "x", 50)?.after).not.toMatch(/DCTCP.*DCTCP/);
});

test("a figure outside of what a model holds for never decides", () => {
  const rows = [row("bbr1", 1500, { outside: "too small" }), row("cubic", 2e5), row("newreno", 8e5)];
  const found = findingOf(rows, "x", 50);
  expect(found?.after).toContain("Outside the model's validity: BBR1");
  expect(found?.after).not.toContain("1.5 kB");
});

test("nothing is said where no engine knows two controls, and packets come before models", () => {
  expect(findingOf([row("cubic", 2e5)], "x", 50)).toBeUndefined();
  const packets = [row("cubic", 1e5, { engine: "packet" }), row("newreno", 1.1e5, { engine: "packet" })];
  const found = findingOf([row("cubic", 2e5), row("newreno", 8e5), ...packets], "x", 50);
  expect(found?.before).toContain("No.");
  expect(found?.after).toContain("by packets");
});

test("the file has a line per row and quotes what has commas", () => {
  const text = csvOf([row("cubic", 2e5), row("hpcc", null, { reason: "missed, everywhere" })], []);
  expect(text.split("\n")).toHaveLength(4);
  expect(text).toContain("cubic,50,fluid,found,200000,,,,");
  expect(text).toContain('"missed, everywhere"');
});
