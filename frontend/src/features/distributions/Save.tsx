import classes from "./distributions.module.css";
import { download } from "@/lib/browser";

/** A button that saves a table as a file. */
export function Save({ name, content }: { name: string; content: () => string }) {
  return (
    <button
      type="button"
      className={classes.save}
      onClick={() => {
        download(name, content(), "text/csv");
      }}
    >
      Download CSV
    </button>
  );
}
