import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

import { Navigation } from "./Navigation";
import classes from "./shell.module.css";
import { ThemeToggle } from "./ThemeToggle";
import { ANSWER, CONTENT, ToolsPlace } from "@/ui/Frame";

/** The header with the views' names, and the view below it. */
export function Shell() {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        // A link inside the view that was left is gone, and the focus with it: go on from the new one.
        const lost = document.activeElement === document.body;
        if (fromLocation !== undefined && pathChanged && lost)
          document.getElementById(CONTENT)?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <a className="skip" href={`#${CONTENT}`}>
          Skip to the content
        </a>
        <a
          className="skip"
          href={`#${CONTENT}`}
          onClick={(event) => {
            event.preventDefault();
            // Views that answer no single question have none, nor has a view that still waits for its answer.
            const target = document.getElementById(ANSWER) ?? document.getElementById(CONTENT);
            target?.focus();
            target?.scrollIntoView({ block: "nearest" });
          }}
        >
          Skip to the answer
        </a>
        <Navigation />
        <div className={classes.tools}>
          <div ref={setPlace} className={classes.slot} />
          <ThemeToggle />
        </div>
      </header>
      <ToolsPlace value={place}>
        <Outlet />
      </ToolsPlace>
    </div>
  );
}
