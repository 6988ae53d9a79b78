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
      buffer={undefined} third="queue_mean" onObjectives={() => undefined} onExplain={() => undefined} onChoose={() => undefined} onRun={() => undefined}
    />,
  );
  return screen.getByText(/this law is not supported/).textContent;
}

test("an engine that refuses some points says how many", () => {
  expect(show(true)).toContain("packet cannot answer 2 of the buffer sizes: this law");
});

test("an engine that refuses all of them is not offered to run again", () => {
  expect(show(false)).toContain("packet cannot answer: this law");
  expect(screen.queryByText(/has not been asked/)).toBeNull();
});
