import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { Typeset } from "@/form/Typeset";

test("what follows the underscore of a letter stands low; names stay as they are", () => {
  const { container } = render(<Typeset symbol="(F_max + 20) + L_MTU·min_rto" />);
  expect([...container.querySelectorAll("sub")].map((low) => low.textContent)).toEqual(["max", "MTU"]);
  expect(container).toHaveTextContent("(Fmax + 20) + LMTU·min_rto");
});
