import { expect, test } from "vitest";

import { finding } from "@/answers/VoqLimit";
import type { VoqAnswer } from "@/api/voq";
import { part } from "@/test/part";

const answer = part<VoqAnswer>({ limit: 156.25e6, packets: 104166, memory: 625e6, delay: null });

test("values are said in one unit, however they were written", () => {
  const said = finding(answer, { rate: "100 Gb/s", line_cards: 4, delay: "50 ms" }).after;
  expect(said).toContain("with 4 line cards feeding the port at once, 625 MB drain in 50.0 ms at 100 Gb/s.");
  expect(finding(answer, { rate: "100000 Mb/s", line_cards: "4", delay: "0.05 s" }).after).toBe(said);
  expect(finding(answer, { rate: 100e9, line_cards: 4, delay: 0.05 }).after).toBe(said);
  expect(finding(answer, { rate: "100 Gb/s", line_cards: 1, delay: "50 ms" }).after).toContain("with 1 line card ");
});

test("a field left out has its default, and the wait at a limit of one's own is told", () => {
  expect(finding(answer, { rate: "100 Gb/s", delay: "50 ms" }).after).toMatch(/with \d+ line cards feeding/);
  const own = finding({ ...answer, delay: 0.2 }, { rate: "100 Gb/s", delay: "50 ms" });
  expect(own.after).toContain("With your limit the last packet waits 200 ms.");
});
