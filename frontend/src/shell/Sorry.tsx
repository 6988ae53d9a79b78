import { Link } from "@tanstack/react-router";

import classes from "./shell.module.css";
import { Frame } from "@/ui/Frame";

/** An address that no view has. */
export function Missing() {
  return (
    <Frame title="Not found" className={classes.sorry}>
      <h1>Page not found</h1>
      <p>
        <Link to="/">Go to the questions</Link>
      </p>
    </Frame>
  );
}

/** A view that could not be loaded, or a bug. */
export function Broken() {
  return (
    <Frame title="Not loaded" className={classes.sorry}>
      <h1>This part of the page did not load</h1>
      <p>The server may have been restarted with another version. What you entered is kept in the address.</p>
      <button
        type="button"
        onClick={() => {
          window.location.reload();
        }}
      >
        Reload
      </button>
    </Frame>
  );
}
