import { createContext, use, useEffect, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { useInvalidFields } from "@/form/invalid";
import classes from "@/ui/layout.module.css";

/** The place in the header that a view's own tools go to; null until the header is there. */
export const ToolsPlace = createContext<HTMLElement | null>(null);

/** Where the header's first link leads. */
export const CONTENT = "content";

/** Where its second leads, in views that answer one question. */
export const ANSWER = "answer";
/** What makes an element that place. */
export const answerPlace = { id: ANSWER, tabIndex: -1 } as const;

type Props = {
  title: string;
  /** Shown above the content, across the page. */
  notice?: ReactNode;
  /** Put into the header, which all views share. */
  tools?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
};

/** What every view stands in: its title, its tools in the header, and the content with a hidden heading. */
export function Frame({ title, notice, tools, className, children }: Props) {
  const place = use(ToolsPlace);
  const invalid = useInvalidFields();
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
            {`Correct ${invalid.join(", ")}. What is shown belongs to the last valid values.`}
          </p>
        )}
      </div>
      <main id={CONTENT} tabIndex={-1} className={className} data-invalid={invalid.length > 0}>
        {children}
      </main>
    </>
  );
}
