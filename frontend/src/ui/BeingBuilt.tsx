import { Frame } from "./Frame";
import classes from "./layout.module.css";

/** Stands in for a view until it can answer. */
export function BeingBuilt({ title }: { title: string }) {
  return (
    <Frame title={title} className={classes.plain}>
      <h1>{title}</h1>
      <p>This view is being built. It has no content yet.</p>
    </Frame>
  );
}
