import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { ScalingNote } from ".";
import { passage } from "@/lib/scaling";

const quantity = {
  name: "buffer over bandwidth-delay product",
  unit: "1",
  before: 0.036,
  after: 0.036,
  meaning: "utilisation of long flows",
  path: "",
};
const packets = {
  name: "buffer",
  unit: "packet",
  before: 200,
  after: 20,
  meaning: "how a burst is felt",
  path: "switch.buffer",
};

test("a scaled result says by how much, what is kept and what is not", () => {
  render(
    <ScalingNote
      scaling={{
        factor: 100,
        changes: [{ path: "topology.bottleneck", before: 1e11, after: 1e9, divisor: 100, rule: "rates by S" }],
        kept: [quantity],
        changed: [packets],
        notes: ["Shallow limits are divided by √S."],
      }}
    />,
  );
  const note = screen.getByRole("region", { name: "Scaling" });
  expect(note).toHaveTextContent("Scaled by 100");
  expect(note).toHaveTextContent("Shallow limits are divided by √S.");
  expect(note).toHaveTextContent("Kept");
  expect(note).toHaveTextContent("200 packets → 20 packets (×0.10)");
  expect(note).toHaveTextContent("Bottleneck");
});

test("what did not change is told once", () => {
  expect(passage(quantity)).toBe("0.0360");
  expect(passage({ ...packets, before: 0, after: 5 })).toBe("0 packets → 5 packets");
});
