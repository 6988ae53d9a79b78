import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { EngineAnswer } from "./EngineAnswer";
import { smallest } from "@/lib/objectives";
import { point } from "@/test/points";

const objective = { metric: "drop_rate", op: "<=", value: 0.001 } as const;
const points = [point("fluid", 1.4e6, { drop_rate: 0.0014 }), point("fluid", 2.5e6, { drop_rate: 0.0006 })];

function show(swept: typeof points) {
  render(
    <EngineAnswer
      answer={smallest(swept, "fluid", [objective])}
      solution={{ state: "pending" }}
      most={2.5e6}
      objectives={[objective]}
      units={{}}
      running={false}
      command={undefined}
      onChoose={() => undefined}
    />,
  );
}

test("until the size is solved, the answer is the two sizes that the curve crosses the target between", () => {
  show(points);
  expect(screen.getByRole("button")).toHaveTextContent("1.40–2.50 MB");
  expect(screen.getByText(/Between two swept sizes. Solving/)).toBeVisible();
});

test("a size without a smaller one is about right", () => {
  show(points.slice(1));
  expect(screen.getByRole("button")).toHaveTextContent("about 2.50 MB");
});
