/** Loaded with the first formula that is shown, its fonts too. */
import "katex/dist/katex.min.css";
import katex from "katex";

/** The formula drawn, and beside it, for screen readers, as MathML. */
export const drawn = (tex: string): string =>
  katex.renderToString(`\\displaystyle ${tex}`, { output: "htmlAndMathml", strict: "ignore", throwOnError: true });
