/**
 * TeX for a formula written as plain text: "B = C·RTT/(8·√n)", "W = sqrt(2 (1-p) / (b p)), at least 1".
 *
 * The models write formulas once, as text that a terminal shows as well. Words stay words; a division takes the product
 * before it and the one factor after it, as precedence has it.
 */

import { FUNCTIONS, GREEK, NAMED_FUNCTIONS, tokens, type Token } from "./formulaTokens";

const SPECIAL: Record<string, string> = { "\\": "/", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const escaped = (text: string) => text.replace(/[\\{}$&#%_^~]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`);
/** Prose, which lines may break between its words. */
const words = (text: string) =>
  text
    .split(/(?<= )/)
    .map((word) => (word.trim() === "" ? "\\ " : `\\text{${escaped(word)}}`))
    .join("\\allowbreak ");

/** A symbol: K_max, r1 and W* with what stands low or high, Greek by its name, several letters upright. */
function symbol(text: string): string {
  const [, name = text, marks = ""] = /^(.*?)(['*²³]*)$/u.exec(text) ?? [];
  const high = marks.replaceAll("*", "^{*}").replaceAll("²", "^{2}").replaceAll("³", "^{3}");
  const [, sum, summed] = /^([ΣΔ])(.+)$/u.exec(name) ?? [];
  if (sum !== undefined && summed !== undefined)
    return `${sum === "Σ" ? "\\textstyle\\sum\\displaystyle " : "\\Delta "}${symbol(summed + marks)}`;
  if (name === "Σ" || name === "sum") return "\\textstyle\\sum\\displaystyle ";
  const [, base = name, low] =
    /^(\p{L})(max|min|\d+)$/u.exec(name) ?? /^([\p{L}\d]+?)_([\p{L}\d_]+)$/u.exec(name) ?? [];
  const lower = low === undefined ? "" : `_{${/^\d+$|^.$/u.test(low) ? low : words(low.replaceAll("_", " "))}}`;
  return `{${letters(base)}${lower}}${high}`;
}

function letters(base: string): string {
  if (GREEK.has(base)) return `\\${base}`;
  if (base.length === 1) return base;
  return `\\mathrm{${escaped(base)}}`;
}

/** The micro sign has no shape in the text fonts of KaTeX. */
const unitTex = (unit: string) => (unit.startsWith("µ") ? `\\mu\\text{${unit.slice(1)}}` : `\\text{${escaped(unit)}}`);

const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋" };
const SIGNS: Record<string, string> = {
  "·": "{\\,\\cdot\\,}",
  "×": "\\times ",
  "*": "{\\,\\cdot\\,}",
  "−": "-",
  "≤": "\\le ",
  "≥": "\\ge ",
  "≈": "\\approx ",
  "⌈": "\\lceil ",
  "⌉": "\\rceil ",
  "⌊": "\\lfloor ",
  "⌋": "\\rfloor ",
  "{": "\\{",
  "}": "\\}",
  ",": ",\\ ",
  ";": ";\\quad ",
};
const tex = (sign: string) => SIGNS[sign] ?? sign;

/**
 * What stands in a product: its TeX, and the TeX without the brackets around it where a bar or a root replaces them.
 */
type Factor = { tex: string; bare: string };

class Reader {
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #is(...signs: string[]): boolean {
    const next = this.#next;
    return next?.type === "sign" && signs.includes(next.text);
  }

  /** Everything up to the end, or to one of `closing`. */
  read(closing = ""): string {
    const parts: string[] = [];
    while (this.#next !== undefined && !(closing !== "" && this.#is(closing))) {
      const { type, text, spaced } = this.#next;
      if (type === "word" || type === "text") parts.push(this.#prose());
      else if (this.#starts()) parts.push(this.#product());
      else {
        this.#at++;
        // A bracket that closes nothing, or a slash after nothing, is what it is.
        parts.push(type === "sign" ? tex(text) : words(`${spaced ? " " : ""}${text}`));
      }
    }
    return parts.join("");
  }

  #prose(): string {
    let text = "";
    while (this.#next?.type === "word" || this.#next?.type === "text") {
      text += `${this.#next.spaced ? " " : ""}${this.#next.text}`;
      this.#at++;
    }
    return words(`${text}${this.#next?.spaced === true ? " " : ""}`);
  }

  #starts(): boolean {
    const next = this.#next;
    if (next === undefined) return false;
    if (next.type === "number" || next.type === "name" || next.type === "unit") return true;
    return next.type === "sign" && (next.text in CLOSING || next.text === "√");
  }

  /** Factors, and fractions where one is divided by the next. */
  #product(): string {
    const done: string[] = [];
    let over: { tex: string; bare: string }[] = [];
    let signs: string[] = [];
    const flush = () => {
      done.push(over.map((one, i) => `${i === 0 ? "" : (signs[i - 1] ?? "")}${one.tex}`).join(""));
      over = [];
      signs = [];
    };
    over.push(this.#power());
    for (;;) {
      if (this.#is("/") && this.#divides()) {
        this.#at++;
        const low = this.#power();
        const high =
          over.length === 1
            ? (over[0]?.bare ?? "")
            : over.map((one, i) => `${i === 0 ? "" : (signs[i - 1] ?? "")}${one.tex}`).join("");
        over = [];
        signs = [];
        const fraction = `\\frac{${high}}{${low.bare}}`;
        over.push({ tex: fraction, bare: fraction });
        // What follows multiplies the fraction and may be divided on its own.
        if (this.#is("·", "×", "*") && this.#after(1)) {
          const sign = tex(this.#next?.text ?? "");
          flush();
          done.push(sign);
          this.#at++;
          over.push(this.#power());
        } else if (this.#starts()) {
          flush();
          done.push("\\,");
          over.push(this.#power());
        }
      } else if (this.#is("·", "×", "*") && this.#after(1)) {
        signs.push(tex(this.#next?.text ?? ""));
        this.#at++;
        over.push(this.#power());
      } else if (this.#starts()) {
        signs.push(this.#next?.spaced === true ? "\\," : "");
        over.push(this.#power());
      } else break;
    }
    flush();
    return done.join("");
  }

  #divides(): boolean {
    return this.#after(1);
  }

  /** Can what stands `ahead` begin a factor? */
  #after(ahead: number): boolean {
    this.#at += ahead;
    const is = this.#starts();
    this.#at -= ahead;
    return is;
  }

  #power(): Factor {
    const base = this.#primary();
    if (!this.#is("^")) return base;
    this.#at++;
    let sign = "";
    if (this.#is("-", "−")) {
      sign = "-";
      this.#at++;
    }
    const high = this.#starts() ? this.#primary().bare : "";
    const both = `{${base.tex}}^{${sign}${high}}`;
    return { tex: both, bare: both };
  }

  #primary(): Factor {
    const token = this.#next;
    if (token === undefined) return { tex: "", bare: "" };
    this.#at++;
    const { type, text } = token;
    if (type === "number") {
      let found = text;
      if (this.#next?.type === "unit") {
        found = `${text}\\,${unitTex(this.#next.text)}`;
        this.#at++;
      }
      return { tex: found, bare: found };
    }
    if (type === "sign" && text === "√") {
      const root = `\\sqrt{${this.#primary().bare}}`;
      return { tex: root, bare: root };
    }
    if (type === "sign" && text in CLOSING) return this.#bracket(text);
    if (text === "sqrt" && this.#is("(")) {
      this.#at++;
      const root = `\\sqrt{${this.#bracket("(").bare}}`;
      return { tex: root, bare: root };
    }
    if (FUNCTIONS.has(text) || NAMED_FUNCTIONS.has(text)) {
      const name = FUNCTIONS.has(text) ? `\\${text}` : `\\operatorname{${text}}`;
      if (this.#is("(")) {
        this.#at++;
        const all = `${name}${this.#bracket("(").tex}`;
        return { tex: all, bare: all };
      }
      return { tex: `${name} `, bare: `${name} ` };
    }
    const found = type === "name" ? symbol(text) : words(text);
    // E[X] is an expectation, q(t) a function: the bracket belongs to the name that it touches.
    if (this.#is("[") && this.#next?.spaced === false) {
      this.#at++;
      const all = `${found}${this.#bracket("[").tex}`;
      return { tex: all, bare: all };
    }
    return { tex: found, bare: found };
  }

  /** After its opening sign. */
  #bracket(opening: string): Factor {
    const closing = CLOSING[opening] ?? "";
    const inner = this.read(closing);
    if (!this.#is(closing)) throw new Error("a bracket is not closed");
    this.#at++;
    const [left, right] = [tex(opening), tex(closing)];
    // Brackets of one height leave lines to break inside them.
    const tall = /\\(frac|sqrt)/.test(inner);
    const both = tall ? `\\mathopen{}\\left${left}${inner}\\right${right}` : `${left}${inner}${right}`;
    return { tex: both, bare: opening === "(" ? inner : both };
  }
}

/** TeX for a formula, or undefined for what is words only or cannot be read. */
export function texOf(formula: string): string | undefined {
  if (tokens(formula).every(({ type }) => type === "word" || type === "text" || type === "sign")) return undefined;
  try {
    return new Reader(formula).read();
  } catch {
    return undefined;
  }
}
