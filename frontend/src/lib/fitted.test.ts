import { expect, test } from "vitest";

import { barred, fitted, withCongestion } from "@/lib/fitted";

const scenario = {
  run: { duration: "500 ms" },
  switch: { queues: 4 },
  traffic: [
    { kind: "poisson", load: 0.8 },
    { kind: "long_lived", flows: 2 },
  ],
};

test("a class added to others brings no more load than there is room for", () => {
  expect(fitted({ kind: "poisson", load: 0.3 }, "traffic.2", scenario)).toEqual({ kind: "poisson", load: 0.1 });
  expect(fitted({ kind: "poisson", load: 0.3 }, "traffic.0", scenario)).toEqual({ kind: "poisson", load: 0.3 });
});

test("long flows start within the run", () => {
  expect(fitted({ kind: "long_lived", flows: 2 }, "traffic.2", scenario)).toEqual({
    kind: "long_lived",
    flows: 2,
    start_jitter: "50 ms",
  });
  expect(fitted({ kind: "long_lived", flows: 2, start_jitter: "1 ms" }, "traffic.2", scenario)).toHaveProperty(
    "start_jitter",
    "1 ms",
  );
});

test("queries have a load or a period, not both", () => {
  expect(fitted({ kind: "incast", degree: 8, load: 0.1, period: "10 ms" }, "traffic.0", scenario)).not.toHaveProperty(
    "period",
  );
});

test("other parts and other documents stay as they are", () => {
  expect(fitted({ kind: "star", hosts: 8 }, "topology", scenario)).toEqual({ kind: "star", hosts: 8 });
  expect(fitted({ kind: "poisson", load: 0.3 }, "traffic.2", undefined)).toEqual({ kind: "poisson", load: 0.3 });
});

test("one queue only is said before it is picked", () => {
  expect(barred("scheduling", "fifo", scenario)).toBe("serves one queue only");
  expect(barred("scheduling", "drr", scenario)).toBeUndefined();
  expect(barred("scheduling", "fifo", { switch: { queues: 1 } })).toBeUndefined();
});

test("another congestion control takes along only what its hosts can have", () => {
  const entry = { kind: "long_lived", window: 20, host: { profile: "linux", recovery: "newreno", mss: 1000 } };
  const [tcp, rdma] = [
    ["prr", "sack", "newreno"],
    ["go_back_n", "selective"],
  ];
  expect(withCongestion(entry, { kind: "dcqcn" }, tcp, rdma)).toEqual({
    kind: "long_lived",
    congestion: { kind: "dcqcn" },
    host: { mss: 1000 },
  });
  expect(withCongestion(entry, { kind: "bbr" }, tcp, ["prr", "sack"])).toEqual({
    kind: "long_lived",
    window: 20,
    congestion: { kind: "bbr" },
    host: { profile: "linux", mss: 1000 },
  });
  expect(withCongestion(entry, { kind: "cubic" }, tcp, tcp)).toEqual({ ...entry, congestion: { kind: "cubic" } });
});
