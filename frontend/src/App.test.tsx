import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { App } from "@/App";

test("the page has its name as its one main heading", () => {
  render(<App />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Footroom");
});
