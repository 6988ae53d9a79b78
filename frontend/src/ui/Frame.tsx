import { createContext, use, useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { useInvalidFields } from "@/form/invalid";
import classes from "@/ui/layout.module.css";

/** The place in the header that a view's own tools go to; null until the header is there. */
export const ToolsPlace = createContext<HTMLElement | null>(null);

/** Where the header's first link leads. */
export const CONTENT = "content";

/** Where its second leads, in views that answer one question. */
export const ANSWER = "answer";
/** What makes an element grey while a field is wrong: what it says is that of the last valid values. */
export const answers = { "data-answers": true } as const;
/** What makes an element that place. */
export const answerPlace = { id: ANSWER, tabIndex: -1, ...answers } as const;

type Props = {
  title: string;
  /** Shown above the content, across the page. */
  notice?: ReactNode;
  /** Put into the header, which all views share. */
  tools?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** The frame of every view: its title, its tools in the header, and the content with a hidden heading. */
export function Frame({ title, notice, tools, className, children }: Props) {
  const place = use(ToolsPlace);
  const invalid = useInvalidFields();
  const main = useRef<HTMLElement>(null);
  // Until there is an answer, and on its other tabs, a view has no heading of its own: then its name is one.
  // The style sheet hides it at once where both are there for a moment.
  const [bare, setBare] = useState(false);
  useEffect(() => {
    const own = main.current;
    if (own === null) return;
    const look = () => {
      setBare(own.querySelector("h1:not([data-fallback])") === null);
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(own, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    document.title = title === "" ? "Footroom" : `${title} · Footroom`;
  }, [title]);
  return (
    <>
      {place !== null && tools !== undefined && createPortal(tools, place)}
      <div>
        {notice}
        {invalid.length > 0 && (
          <p className={classes.notice} role="status">
            {`Correct ${invalid.join(", ")}. Until then the answers are for the last valid values.`}
          </p>
        )}
      </div>
      <main ref={main} id={CONTENT} tabIndex={-1} className={className} data-invalid={invalid.length > 0}>
        {children}
        {bare && (
          <h1 className="visually-hidden" data-fallback>
            {title}
          </h1>
        )}
      </main>
    </>
  );
}
