import classes from "./bars.module.css";

/** The meaning of a bar's colours. */
export function Legend({ parts, present }: { parts: Record<string, string>; present: ReadonlySet<string> }) {
  return (
    <ul className={classes.legend} aria-label="Parts of the headroom">
      {Object.entries(parts)
        .filter(([part]) => present.has(part))
        .map(([part, title]) => (
          <li key={part}>
            <span className={classes.swatch} data-part={part} />
            {title}
          </li>
        ))}
    </ul>
  );
}
