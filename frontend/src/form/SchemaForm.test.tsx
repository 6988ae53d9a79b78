import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";

import { FormContext, type Form } from "@/form/FormContext";
import { useInvalidFields } from "@/form/invalid";
import { SchemaForm } from "@/form/SchemaForm";
import type { Axis } from "@/lib/component";
import { getPath, setPath, type JsonObject } from "@/lib/path";
import { catalog, preset } from "@/test/api";

const axes = catalog.axes as unknown as Axis[];

type EditorProps = { seen?: (document: JsonObject) => void; errors?: Record<string, string>; start?: JsonObject };

function Editor({ seen, errors = {}, start = preset.scenario }: EditorProps) {
  const [document, setDocument] = useState<JsonObject>(start);
  const form: Form = {
    axes: new Map(axes.map((axis) => [axis.axis, axis])),
    axisNames: new Set(axes.map(({ axis }) => axis)),
    errors: new Map(Object.entries(errors)),
    scenario: document,
    examples: [],
    change: (path, value) => {
      const next = setPath(document, path, value) as JsonObject;
      seen?.(next);
      setDocument(next);
    },
    help: () => {},
  };
  return (
    <FormContext value={form}>
      <SchemaForm schema={catalog.scenario} value={document} folded={new Set()} />
    </FormContext>
  );
}

test("every field of the schema is there, labelled, with its unit in it", () => {
  render(<Editor />);
  expect(screen.getByRole("textbox", { name: /^Bottleneck/ })).toHaveValue("1 Gb/s");
  expect(screen.getByRole("textbox", { name: /^Buffer/ })).toHaveValue("250 kB");
  expect(screen.getByRole("textbox", { name: /^Flows/ })).toHaveValue("50");
  expect(screen.getByRole("textbox", { name: /^Bottleneck/ })).toHaveAccessibleDescription("A bit/s.");
});

test("picking another kind swaps its parameters and keeps what both have", async () => {
  const seen = vi.fn();
  render(<Editor seen={seen} />);
  const [topology] = screen.getAllByRole("combobox", { name: "Kind" });
  expect(topology).toHaveValue("dumbbell");
  await userEvent.selectOptions(topology ?? document.body, "star");
  expect(screen.queryByRole("textbox", { name: /^Bottleneck/ })).not.toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: /^Hosts/ })).toHaveValue("2");
  expect(seen).toHaveBeenLastCalledWith(
    expect.objectContaining({ topology: { kind: "star", hosts: 2, rtt: "20 ms" } }),
  );
});

test("every choice of every menu writes a whole component", async () => {
  const seen = vi.fn<(document: JsonObject) => void>();
  render(<Editor seen={seen} />);
  const written = (path: string) => getPath(seen.mock.lastCall?.[0], path);
  for (const [i, path, axis] of [
    [0, "topology", "topology"],
    [1, "switch.sharing", "sharing"],
    [2, "traffic.0", "traffic"],
  ] as const) {
    // Back to the first one last, so that every choice is a change.
    const kinds = axes.find((one) => one.axis === axis)?.kinds ?? [];
    for (const kind of [...kinds.slice(1), ...kinds.slice(0, 1)]) {
      const menus = screen.getAllByRole("combobox", { name: /^(Kind|Sharing)$/ });
      await userEvent.selectOptions(menus[i] ?? document.body, kind.kind);
      const made = written(path);
      expect(made).toHaveProperty("kind", kind.kind);
      for (const name of kind.schema.required as string[]) expect(made).toHaveProperty(name);
    }
  }
});

test("a part that must be given and is not can be picked by what would be first", async () => {
  const seen = vi.fn<(document: JsonObject) => void>();
  render(<Editor seen={seen} start={{ ...preset.scenario, traffic: [{ kind: "poisson", load: 0.3 }] }} />);
  const menu = screen.getByRole("combobox", { name: "Sizes" });
  expect(menu).toHaveDisplayValue("choose");
  await userEvent.selectOptions(menu, "empirical");
  expect(getPath(seen.mock.lastCall?.[0], "traffic.0.sizes")).toEqual({ kind: "empirical" });
});

test("planned kinds are shown but cannot be picked", () => {
  render(<Editor />);
  expect(screen.getByRole("option", { name: "leaf spine" })).toBeDisabled();
});

test("text that makes no sense is refused at once and changes nothing", async () => {
  const seen = vi.fn();
  render(<Editor seen={seen} />);
  const field = screen.getByRole("textbox", { name: /^Buffer/ });
  await userEvent.clear(field);
  await userEvent.type(field, "250 kb");
  await userEvent.tab();
  expect(field).toHaveAccessibleDescription(/is bits/);
  expect(seen.mock.calls.every(([document]) => (document as JsonObject).switch !== undefined)).toBe(true);
  expect(seen).not.toHaveBeenCalledWith(
    expect.objectContaining({ switch: expect.objectContaining({ buffer: "250 kb" }) as unknown }),
  );
});

test("typing over the number keeps the unit", async () => {
  const seen = vi.fn();
  render(<Editor seen={seen} />);
  await userEvent.tab();
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: /^Buffer/ });
  field.focus();
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe("250");
});

test("a bare number over the whole text keeps the unit, and nothing is computed on the way", async () => {
  const seen = vi.fn<(document: JsonObject) => void>();
  render(<Editor seen={seen} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: /^Rtt|^RTT/ });
  await userEvent.tripleClick(field);
  await userEvent.keyboard("{Control>}a{/Control}{Backspace}40");
  await userEvent.tab();
  expect(seen.mock.calls.map(([document]) => getPath(document, "topology.rtt"))).toEqual(["40 ms"]);
  expect(field).toHaveValue("40 ms");
});

test("what was typed is quoted as it was typed, and is no beginning of a sentence", () => {
  render(<Editor errors={{ "topology.bottleneck": '"kb" is a size in bits', "switch.buffer": "too small" }} />);
  expect(screen.getByText('"kb" is a size in bits')).toHaveAttribute("data-quotes");
  expect(screen.getByText("too small")).not.toHaveAttribute("data-quotes");
});

test("a wrong field is known outside the form until it is right again", async () => {
  const Outside = () => <output>{useInvalidFields().join(", ")}</output>;
  render(
    <>
      <Editor />
      <Outside />
    </>,
  );
  const field = screen.getByRole("textbox", { name: /^Buffer/ });
  await userEvent.clear(field);
  await userEvent.type(field, "250 kb");
  await userEvent.tab();
  expect(screen.getByRole("status")).toHaveTextContent("Buffer");
  await userEvent.clear(field);
  await userEvent.type(field, "250");
  await userEvent.tab();
  expect(screen.getByRole("status")).toHaveTextContent(/^$/);
  expect(field).toHaveValue("250 kB");
});

test("arrow keys step the number", async () => {
  const seen = vi.fn();
  render(<Editor seen={seen} />);
  screen.getByRole("textbox", { name: /^Buffer/ }).focus();
  await userEvent.keyboard("{ArrowUp}");
  expect(seen).toHaveBeenLastCalledWith(
    expect.objectContaining({ switch: expect.objectContaining({ buffer: "500 kB" }) as unknown }),
  );
});

test("advanced fields fold away, but not when something in them is wrong", async () => {
  const { unmount } = render(<Editor />);
  expect(screen.queryByRole("textbox", { name: "Start" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Advanced: Long-lived flows" }));
  expect(screen.getByRole("textbox", { name: "Start" })).toHaveValue("0 s");
  unmount();
  render(<Editor errors={{ "traffic.0.start": "too late" }} />);
  expect(screen.getByRole("textbox", { name: "Start" })).toHaveAccessibleDescription("too late");
});

test("the fold of a component's advanced fields says whose they are", () => {
  render(<Editor />);
  expect(screen.getByRole("button", { name: "Advanced: Long-lived flows" })).toBeVisible();
});

test("traffic classes come and go, one stays", async () => {
  render(<Editor />);
  expect(screen.queryByRole("button", { name: /^Remove/ })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: /Add a traffic class/ }));
  expect(screen.getAllByRole("textbox", { name: /^Flows/ })).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Remove class 2" }));
  expect(screen.getAllByRole("textbox", { name: /^Flows/ })).toHaveLength(1);
});
