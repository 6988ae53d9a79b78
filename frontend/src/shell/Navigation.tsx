import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

import classes from "./shell.module.css";
import { VIEWS } from "@/lib/views";
import { queryOf } from "@/state/router";

/** The views by name. Each link leads to its view as it was left. */
export function Navigation() {
  const location = useLocation();
  const { pathname } = location;
  const query = queryOf(location.search as unknown);
  const [left, setLeft] = useState<ReadonlyMap<string, string>>(new Map());
  if ((left.get(pathname) ?? "") !== query) setLeft(new Map(left).set(pathname, query));
  const list = useRef<HTMLUListElement>(null);
  // On a narrow screen the row of names scrolls; where one is must be in sight.
  useEffect(() => {
    list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <>
      <Link to="/" className={classes.name}>
        Footroom
      </Link>
      <nav className={classes.navigation} aria-label="Views">
        <ul ref={list}>
          {VIEWS.map(({ id, path, title }) => (
            <li key={id}>
              <Link
                to={path}
                search={{ query: left.get(path) ?? "" }}
                className={classes.link}
                activeOptions={{ exact: true, includeSearch: false }}
                {...(id === "questions" && pathname.startsWith("/questions/")
                  ? { "aria-current": "page" as const }
                  : {})}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
