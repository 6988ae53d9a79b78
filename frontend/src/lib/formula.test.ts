import katex from "katex";
import { expect, test } from "vitest";

import { texOf } from "./formula";

test.each([
  // A division takes the product before it and the one factor after it.
  ["B = C·RTT/(8·√n)", "\\frac{{C}{\\,\\cdot\\,}{\\mathrm{RTT}}}{8{\\,\\cdot\\,}\\sqrt{{n}}}"],
  ["a/b·c/d", "\\frac{{a}}{{b}}{\\,\\cdot\\,}\\frac{{c}}{{d}}"],
  ["RTT/2 sqrt(2 K / N)", "\\frac{{\\mathrm{RTT}}}{2}\\,\\sqrt{\\frac{2\\,{K}}{{N}}}"],
  ["(1-p)^-B", "{(1-{p})}^{-{B}}"],
  ["q = Kmin + W*", "{K_{\\text{min}}}+{W}^{*}"],
  ["L_MTU + r1 + ρ'", "{L_{\\text{MTU}}}+{r_{1}}+{ρ}'"],
])("%s is typeset", (formula, part) => {
  expect(texOf(formula)).toContain(part);
});

test("a unit is no quotient, and a letter before a bracket without a space is a product", () => {
  expect(texOf("2 × 100 Gb/s × 1.5 µs / 8")).toBe("\\frac{2\\times 100\\,\\text{Gb/s}\\times 1.5\\,\\mu\\text{s}}{8}");
  expect(texOf("K = 2B/c")).toBe("{K}=\\frac{2{B}}{{c}}");
});

test("words stay words, and what is words only is no formula", () => {
  expect(texOf("as above")).toBeUndefined();
  expect(texOf("random-loss limit, a small one")).toBeUndefined();
  expect(texOf("W = 2/p^2, at least 2")).toContain("\\text{at }\\allowbreak \\text{least }2");
});

test("brackets that do not match are left as they are written", () => {
  expect(texOf("min(1, x")).toBeUndefined();
});

test("whatever a formula holds, KaTeX gets only what it can draw", () => {
  for (const text of [
    "50 % of x_1$ & #3",
    "a \\href{x}{y} = 1",
    "{x} = 2~3",
    "√",
    "^2",
    "/3",
    "x^",
    "a_b_c = 1",
    "⌈x⌉ KiB",
  ]) {
    const tex = texOf(text);
    if (tex !== undefined) expect(() => katex.renderToString(tex, { strict: "ignore" }), text).not.toThrow();
  }
});
