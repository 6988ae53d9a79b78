import { expect, test } from "vitest";

import { joined, pathLabel, plainMessage, plainSentence, plainText, problemAt, refusalWords } from "@/lib/problems";

test.each([
  ["traffic.0.sizes", "Traffic class 1, flow sizes"],
  ["switch.marking.kmin", "Marking, Kmin"],
  ["ports.0.count", "Port 1, count"],
  ["topology.rtt", "RTT"],
  ["traffic.1.host.min_rto", "Traffic class 2, host, min RTO"],
  ["switch", "Switch"],
  ["", ""],
])("%s is called %s", (path, text) => {
  expect(pathLabel(path)).toBe(text);
});

test.each([
  ["this field is required", "traffic.0.sizes", "Enter the flow sizes"],
  ["this field is required", "kmin", "Enter the Kmin"],
  [
    'this field is required: a length such as "300 m", or a delay',
    "cable",
    'Enter the cable: a length such as "300 m", or a delay',
  ],
  ['unknown key; did you mean "buffer"?', "switch.bufer", "Unknown field"],
  ["Input should be less than or equal to 9", "pairs", "must be at most 9"],
  ["Input should be 'sack' or 'prr'", "recovery", "choose 'sack' or 'prr'"],
  ["must leave 52 B of headers within run.mtu", "traffic.0.host.mss", "must leave 52 B of headers within MTU"],
  [
    "fifo serves one queue; with several use strict_priority or drr",
    "switch.scheduling.kind",
    "fifo serves one queue; with several use strict priority or drr",
  ],
  ["must be below 5 kB", "kmin", "must be below 5 kB"],
])("%s at %s reads %s", (message, path, text) => {
  expect(plainMessage(message, path)).toBe(text);
});

test("a refusal is a sentence without paths and engines", () => {
  expect(
    refusalWords("topology.kind: the fluid engine needs one bottleneck. Engines that can answer: packet, reference"),
  ).toBe("The fluid engine needs one bottleneck.");
});

test("a wrong quantity is told how to write one", () => {
  const said =
    'this is not a number with a unit; expected a time such as "80 us", "20 ms", "5 s", or a bare number in s';
  expect(plainMessage(said)).toBe("this is not a number with a unit; write 80 us, 20 ms, 5 s");
});

test("a problem stands at the field that shows it: its list, or the menu of its part", () => {
  const errors = new Map([
    ["switch.headroom.lossless.0", "at most 7"],
    ["switch.headroom", "leaves no shared memory"],
    ["switch.sharing", "is not known. Engines that can answer: packet"],
  ]);
  expect(problemAt(errors, "switch.headroom.lossless")).toBe("at most 7");
  expect(problemAt(errors, "switch.headroom.kind")).toBe("leaves no shared memory");
  expect(problemAt(errors, "switch.headroom.size")).toBeUndefined();
  expect(problemAt(errors, "switch.headroom.loss")).toBeUndefined();
  // What an engine cannot answer is no wrong value.
  expect(problemAt(errors, "switch.sharing.kind")).toBeUndefined();
});

test("problems of two answers name each field once", () => {
  const [first, second, third] = [
    { path: "a", message: "1" },
    { path: "b", message: "2" },
    { path: "a", message: "3" },
  ];
  expect(joined([first], [second, third])).toEqual([first, second]);
});

test("a reason reads as a sentence, whether or not it was written as one", () => {
  expect(plainSentence("round trips are equal")).toBe("Round trips are equal.");
  expect(plainSentence("Round trips are equal.")).toBe("Round trips are equal.");
});

test("a switch without a name of its own is the switch", () => {
  expect(plainText("leaves no shared memory at switch switch: 5 ports")).toBe(
    "leaves no shared memory at the switch: 5 ports",
  );
});
