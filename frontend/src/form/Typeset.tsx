import { Fragment } from "react";

/** A single letter with what follows its underscore: names of several letters, such as min_rto, are no symbols. */
const SYMBOL = /(?<![\p{L}\d_])(\p{L})_([\p{L}\d]+)(?![\p{L}\d_])/gu;

/** A symbol or a formula with what follows an underscore set low: "L_MTU". */
export function Typeset({ symbol }: { symbol: string }) {
  // Splitting by a pattern with two groups gives text, letter, index, text, …
  const parts = symbol.split(SYMBOL);
  return parts.map((part, i) => {
    if (i % 3 === 2) return <sub key={i}>{part}</sub>;
    return <Fragment key={i}>{part}</Fragment>;
  });
}
