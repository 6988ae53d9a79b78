import { useState } from "react";

/** The last valid value, so that an answer stays visible while the text typed is not valid. */
export function useKept<T>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}
