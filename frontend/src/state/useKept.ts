import { useState } from "react";

/** The last value there was, so that an answer stays in sight while what was typed makes no sense. */
export function useKept<T>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}
