import { useEffect, useRef, useState } from "react";

import classes from "./formula.module.css";
import { Typeset } from "@/form/Typeset";
import { texOf } from "@/lib/formula";

/** The drawing of TeX, once it is loaded. */
let draw: ((tex: string) => string) | undefined;
let loading: Promise<void> | undefined;

const load = () =>
  (loading ??= import("./katex").then(
    ({ drawn }) => {
      draw = drawn;
    },
    () => {
      // Offline, formulas stay as they are written; the next one tries again.
      loading = undefined;
    },
  ));

/** A formula or a symbol, typeset; as plain text until the typesetter is loaded, and where it is words. */
export function Formula({ text }: { text: string }) {
  const tex = texOf(text);
  const [ready, setReady] = useState(draw !== undefined);
  useEffect(() => {
    if (tex === undefined || ready) return;
    let gone = false;
    void load().then(() => {
      if (!gone) setReady(draw !== undefined);
    });
    return () => {
      gone = true;
    };
  }, [tex, ready]);
  const html = tex === undefined || !ready ? undefined : rendered(tex);
  if (html === undefined) return <Typeset symbol={text} />;
  return <span data-formula dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A formula on a line of its own; one that is too long for it is moved sideways, by the keyboard too. */
export function FormulaLine({ text }: { text: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  const [long, setLong] = useState(false);
  useEffect(() => {
    const own = line.current;
    if (own === null) return;
    const observer = new ResizeObserver(() => {
      setLong(own.scrollWidth > own.clientWidth);
    });
    // The formula grows as it is typeset, the line with the window.
    observer.observe(own);
    if (own.firstElementChild !== null) observer.observe(own.firstElementChild);
    return () => {
      observer.disconnect();
    };
  }, [text]);
  return (
    <p ref={line} className={classes.formula} tabIndex={long ? 0 : undefined}>
      <span>
        <Formula text={text} />
      </span>
    </p>
  );
}

/** KaTeX escapes what it is given; what it refuses stays plain text. */
function rendered(tex: string): string | undefined {
  try {
    return draw?.(tex);
  } catch {
    return undefined;
  }
}
