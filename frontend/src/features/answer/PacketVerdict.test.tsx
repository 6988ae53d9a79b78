import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { PacketVerdict } from "./PacketVerdict";
import type { SizeJob } from "@/api/size";
import type { Point } from "@/lib/points";
import type { Solution } from "@/lib/solution";
import type { SizeSearch } from "@/state/useSizeJob";
import { sizeJob } from "@/test/api";
import { point } from "@/test/points";

const done = sizeJob as unknown as SizeJob;
const objectives = [{ metric: "drop_rate", op: "<=" as const, value: 0.001 }];

function show(
  more: Partial<SizeSearch>,
  buffer = 250e3,
  solutions: Record<string, Solution> = {},
  points: Point[] = [],
) {
  const search: SizeSearch = { cost: 14, job: undefined, error: undefined, start: vi.fn(), cancel: vi.fn(), ...more };
  render(
    <PacketVerdict
      search={search}
      objectives={objectives}
      units={{}}
      buffer={buffer}
      solutions={solutions}
      points={points}
      onChoose={() => undefined}
    />,
  );
  return search;
}

const solved = (buffer: number): Solution => ({ state: "solved", buffer, missed: buffer, binding: [] });

test("the verdict gives the size, its interval, what decides, and why models differ", () => {
  const tried = [
    {
      at: { "switch.buffer": 1.66e6 },
      metrics: { drop_rate: 0.001, utilisation: 1, retransmissions: 900, timeouts: 90 },
    },
  ];
  const job = { ...done, result: { ...sizeJob.result, tried } } as unknown as SizeJob;
  show({ job }, 250e3, { theory: solved(2.5e6), fluid: solved(1.7e6) }, [
    point("theory", 1.66e6, { drop_rate: 0.002, utilisation: 1 }),
  ]);
  expect(screen.getByRole("button", { name: /about\s*1.66\s*MB/ })).toBeVisible();
  expect(
    screen.getByText(/95 % interval 1.64 MB to 1.68 MB. Drop rate ≤ 0.1 % decides. The chosen 250 kB fails./),
  ).toBeVisible();
  expect(
    screen.getByText(
      /Theory has 2.50 MB. At 1.66 MB its drop rate is 0.200 %, that of packets 0.100 %: 10 in 100 packets that are sent again wait for a timeout, which theory leaves out./,
    ),
  ).toBeVisible();
  expect(screen.getByText(/Fluid has 1.70 MB, which agrees/)).toBeVisible();
});

test.each([
  [2e6, /The chosen 2.00 MB passes/],
  [1.66e6, /The chosen 1.66 MB is within the interval/],
])("a chosen size of %s is judged", (buffer, words) => {
  show({ job: done }, buffer);
  expect(screen.getByText(words)).toBeVisible();
});

test("a search is offered with its cost, and cancelled while it runs", () => {
  const { start } = show({});
  fireEvent.click(screen.getByRole("button", { name: "Find the size by packets (about 14 s)" }));
  expect(start).toHaveBeenCalledOnce();
  const { cancel } = show({ job: { ...done, status: "running", progress: 0.4, seconds_left: 5, result: null } });
  expect(screen.getByRole("status")).toHaveTextContent("40 %, about 5 s left.");
  fireEvent.click(screen.getByRole("button", { name: "Cancel the search" }));
  expect(cancel).toHaveBeenCalledOnce();
});

test("what packets cannot answer is said instead", () => {
  show({ error: new Error("the packet engine does not know congestion hpcc"), cost: undefined });
  expect(screen.getByText(/does not know congestion hpcc/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
