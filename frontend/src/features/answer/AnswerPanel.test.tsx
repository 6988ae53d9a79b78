import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { AnswerPanel } from "./AnswerPanel";
import { point } from "@/test/points";

const refusal = { engine: "packet", message: "this law is not supported", path: "", engines: ["fluid"] };

function show(answered: boolean) {
  const points = answered ? [point("packet", 250e3, { utilisation: 0.9 })] : [];
  render(
    <AnswerPanel
      points={points} here={[]} engines={["packet"]} objectives={[]} metrics={{}} rules={[]} running={false} unsupported={[refusal, refusal]}
      buffer={undefined} third="queue_mean" onObjectives={() => undefined} onExplain={() => undefined} onChoose={() => undefined} onRun={() => undefined} solutions={{}}
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
