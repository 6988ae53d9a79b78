import classes from "./ecn.module.css";

type Props = { advice: boolean; meets: boolean };

/** A star is advised, a diamond meets the targets, a cross does not: the shape is clear without the colour. */
export function Sign({ advice, meets }: Props) {
  return (
    <span className={classes.sign} data-advice={advice} data-meets={meets} aria-hidden="true">
      <svg width="14" height="14" viewBox="0 0 14 14">
        {advice ? (
          <path
            d="M7 0.6 L8.9 4.9 L13.5 5.3 L10 8.4 L11.1 13 L7 10.5 L2.9 13 L4 8.4 L0.5 5.3 L5.1 4.9 Z"
            fill="currentColor"
          />
        ) : meets ? (
          <path d="M7 1.2 L12.8 7 L7 12.8 L1.2 7 Z" fill="currentColor" />
        ) : (
          <path d="M2.5 2.5 L11.5 11.5 M11.5 2.5 L2.5 11.5" stroke="currentColor" strokeWidth="2.2" />
        )}
      </svg>
    </span>
  );
}
