import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { CancelButton } from "./CancelButton";

afterEach(() => {
  vi.useRealTimers();
});

test("the second click of a double click on Run does not cancel", () => {
  vi.useFakeTimers();
  const cancel = vi.fn();
  render(
    <MantineProvider>
      <CancelButton onCancel={cancel} />
    </MantineProvider>,
  );
  const button = screen.getByRole("button", { name: "Cancel" });
  fireEvent.click(button);
  expect(cancel).not.toHaveBeenCalled();
  act(() => {
    vi.advanceTimersByTime(1000);
  });
  fireEvent.click(button);
  expect(cancel).toHaveBeenCalledOnce();
});
