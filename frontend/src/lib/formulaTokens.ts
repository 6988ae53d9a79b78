/** The words and signs of a formula that is written as plain text. */

export type Token = {
  type: "number" | "unit" | "name" | "word" | "sign" | "text";
  text: string;
  /** A space stands before it. */
  spaced: boolean;
};

export const GREEK = new Set("alpha beta gamma delta eta theta lambda mu rho sigma tau omega".split(" "));
export const FUNCTIONS = new Set("min max ln log exp det".split(" "));
export const NAMED_FUNCTIONS = new Set(["erf", "Re"]);
/** Words in lower case that are quantities or signs, not prose. */
const QUANTITIES = new Set("xoff xon occupancy quanta sqrt sum".split(" "));

const UNITS =
  "(?:[kMGT]i?)?B/m|(?:[kMGT]i?)?[Bb]/s|k?m/s|(?:[kMGT]i?)?B|[nµum]s|km|" +
  "cells?|packets?|quanta|ports|queues|groups|s|m|%";

const NUMBER = /^\d[\d.]*(?:e[-+]?\d+)?/;
/** After a number and a space: "2 B" are bytes, "2B" is twice B. */
const UNIT = new RegExp(`^ (?:${UNITS})(?![\\p{L}\\d_(])`, "u");
const WORDS = /^[a-z]+(?:-[a-z]+)+(?![\p{L}\d_])/u;
const NAME = /^(?:[α-ω]\d*|\p{L}[\p{L}\d]*(?:_[\p{L}\d]+)*)[²³]?/u;
const SIGN = /^[-+−–·×*/^=<>≤≥≈()[\]{}⌈⌉⌊⌋,;|√]/u;

const isWord = (name: string) =>
  /^[a-z]{2,}$/.test(name) && ![GREEK, FUNCTIONS, NAMED_FUNCTIONS, QUANTITIES].some((known) => known.has(name));

export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const bare = rest.trimStart();
    const spaced = bare.length < rest.length;
    rest = bare;
    const take = (type: Token["type"], length: number) => {
      found.push({ type, text: rest.slice(0, length).trim(), spaced });
      rest = rest.slice(length);
    };
    const number = NUMBER.exec(rest)?.[0];
    const words = WORDS.exec(rest)?.[0];
    const name = NAME.exec(rest)?.[0];
    if (number !== undefined) {
      // A full stop at the end belongs to the sentence.
      take("number", number.replace(/\.$/, "").length);
      const unit = UNIT.exec(rest)?.[0];
      if (unit !== undefined) take("unit", unit.length);
    } else if (words !== undefined) take("word", words.length);
    else if (name !== undefined)
      take(isWord(name) ? "word" : "name", name.length + marks(rest.slice(name.length)).length);
    else if (SIGN.test(rest)) take("sign", 1);
    else take("text", /^./su.exec(rest)?.[0].length ?? 1);
  }
  // The article of a word is no symbol.
  return found.map((token, i) =>
    token.text === "a" && found[i + 1]?.type === "word" && found[i + 1]?.spaced === true
      ? { ...token, type: "word" }
      : token,
  );
}

/** Primes, or the star of W*; a star before another factor multiplies. */
const marks = (rest: string) => /^'+/.exec(rest)?.[0] ?? /^\*(?![\p{L}\d(])/u.exec(rest)?.[0] ?? "";
