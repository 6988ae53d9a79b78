import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { AnswerPanel } from "./AnswerPanel";
import { point } from "@/test/points";

const refusal = { at: {}, engine: "packet", message: "this law is not supported", path: "", engines: ["fluid"] };

function show(answered: boolean) {
  const points = answered ? [point("packet", 250e3, { utilisation: 0.9 })] : [];
  render(
    <AnswerPanel
      points={points}
      here={[]}
      engines={["packet"]}
      objectives={[]}
      metrics={{}}
      rules={[]}
      running={false}
      unsupported={[refusal, refusal]}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
      solutions={{}}
    />,
  );
  return screen.getByText(/this law is not supported/).textContent;
}

test("an engine that refuses some points says how many", () => {
  expect(show(true)).toContain("packet does not support 2 of the sizes: this law");
});

test("an engine that refuses all of them is not offered to run again", () => {
  expect(show(false)).toContain("packet does not support this scenario: this law");
  expect(screen.queryByText(/Not simulated yet/)).toBeNull();
});

test("a refusal names neither the path nor the engine twice", () => {
  const message =
    'traffic.0.kind: the packet engine has no model of "Incast" traffic. Engines that can answer: fluid, reference';
  render(
    <AnswerPanel
      points={[]}
      here={[]}
      engines={["packet"]}
      objectives={[]}
      metrics={{}}
      rules={[]}
      running={false}
      unsupported={[{ ...refusal, message }]}
      solutions={{}}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
    />,
  );
  expect(screen.getByText(/does not support/)).toHaveTextContent(
    'packet does not support this scenario: it has no model of "Incast" traffic.',
  );
});

test("numbers that meet the targets outside validity are not said to miss them", () => {
  const found = point("theory", 250e3, { drop_rate: 1e-4 });
  const result = { ...found.result, outside_validity: { drop_rate: "flows are long" } };
  render(
    <AnswerPanel
      points={[{ ...found, result }]}
      here={[]}
      engines={["theory"]}
      objectives={[{ metric: "drop_rate", op: "<=", value: 1e-3 }]}
      metrics={{}}
      rules={[]}
      running={false}
      unsupported={[]}
      solutions={{ theory: { state: "infeasible", words: "Drop rate stays above 0.1 % up to 250 kB." } }}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
    />,
  );
  expect(screen.getByText(/The targets are met only where the model does not hold/)).toHaveTextContent(
    "Flows are long.",
  );
  expect(screen.queryByText(/stays above/)).toBeNull();
});

test.each([
  [1, /At 250 kB utilisation is too low/],
  [0.9, /Utilisation stays below 99 % up to 500 kB/],
])("swept sizes stand for the exact one only with the reason (%s)", (used, said) => {
  const points = [250e3, 500e3].map((size) => point("fluid", size, { utilisation: size > 3e5 ? used : 0.9 }));
  render(
    <AnswerPanel
      points={points}
      here={[]}
      engines={["fluid"]}
      objectives={[{ metric: "utilisation", op: ">=", value: 0.99 }]}
      metrics={{}}
      rules={[]}
      running={false}
      unsupported={[]}
      solutions={{ fluid: { state: "unsolved", words: "It took longer than 30 s." } }}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
    />,
  );
  expect(screen.getByText(said)).toHaveTextContent("The exact size could not be computed: It took longer than 30 s.");
});

test("rules are compared with the part of the buffer that a queue may hold", () => {
  const explanation = {
    name: "bdp",
    title: "Bandwidth-delay product",
    formula: "B = C·RTT/8",
    value: 2.5e6,
    unit: "B",
    terms: [],
    source: "",
    holds: "",
    valid: true,
  };
  render(
    <AnswerPanel
      points={[point("fluid", 127.5e6, { utilisation: 1 })]}
      here={[]}
      engines={["fluid"]}
      objectives={[{ metric: "utilisation", op: ">=", value: 0.99 }]}
      metrics={{}}
      rules={[{ engine: "theory", explanation }]}
      whole={51}
      running={false}
      unsupported={[]}
      solutions={{ fluid: { state: "solved", buffer: 127.5e6, missed: 125e6, binding: [] } }}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
    />,
  );
  const rules = screen.getByRole("region", { name: "Rules of thumb" });
  expect(rules).toHaveTextContent("leaves it 1/51.0 of the buffer");
  expect(rules).toHaveTextContent("the same");
});

test("a stretch outside validity is said of the numbers it holds for, without keys of the document", () => {
  const found = [250e3, 500e3].map((size, i) => {
    const one = point("fluid", size, { drop_rate: 0, utilisation: 1 });
    const outside = i === 0 ? { utilisation: "A smaller congestion.additive_increase helps." } : {};
    return { ...one, result: { ...one.result, outside_validity: outside } };
  });
  render(
    <AnswerPanel
      points={found}
      here={[]}
      engines={["fluid"]}
      objectives={[{ metric: "drop_rate", op: "<=", value: 1e-3 }]}
      metrics={{}}
      rules={[]}
      running={false}
      unsupported={[]}
      solutions={{}}
      buffer={undefined}
      third="queue_mean"
      onObjectives={() => undefined}
      onExplain={() => undefined}
      onChoose={() => undefined}
      onRun={() => undefined}
    />,
  );
  expect(screen.getByText(/and faded/)).toHaveTextContent(
    "fluid utilisation is outside validity, and faded, at 250 kB: A smaller additive increase helps.",
  );
});
