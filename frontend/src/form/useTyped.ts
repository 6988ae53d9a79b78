import { useState, type ChangeEvent, type KeyboardEvent } from "react";

import { useReportInvalid } from "@/form/invalid";

type Read<T> = { value: T } | { error: string };

type Typed<T> = {
  /** What the field is called where it has to be corrected. */
  label: string;
  /** The value as it is written while nothing is typed. */
  shown: string;
  read: (text: string) => Read<T>;
  onChange: (value: T) => void;
  /** Takes effect with every key, instead of on leaving the field. */
  eager?: boolean;
};

/**
 * A small field outside a form. What cannot be read stays in the field, is said, and blocks what depends on it,
 * until it
 * is corrected, emptied or left with Escape. Gives the properties of the input.
 */
export function useTyped<T>({ label, shown, read, onChange, eager = false }: Typed<T>) {
  const [draft, setDraft] = useState<string>();
  const found = draft === undefined || draft.trim() === "" ? undefined : read(draft);
  const error = found !== undefined && "error" in found ? found.error : undefined;
  useReportInvalid(error === undefined ? label : `${label} (${error})`, error !== undefined);
  const leave = () => {
    if (error !== undefined) return;
    if (found !== undefined && "value" in found && draft !== shown) onChange(found.value);
    setDraft(undefined);
  };
  return {
    error,
    input: {
      value: draft ?? shown,
      "aria-invalid": error !== undefined,
      autoComplete: "off",
      spellCheck: false,
      onChange: ({ currentTarget: { value: text } }: ChangeEvent<HTMLInputElement>) => {
        setDraft(text);
        if (!eager || text.trim() === "") return;
        const next = read(text);
        if ("value" in next) onChange(next.value);
      },
      onBlur: leave,
      onKeyDown: ({ key }: KeyboardEvent<HTMLInputElement>) => {
        if (key === "Enter") leave();
        if (key === "Escape") setDraft(undefined);
      },
    },
  };
}
