import classes from "./questions.module.css";

type Props = {
  /** Absent while it is being computed. */
  value: string | undefined;
  /** What the number is. */
  note: string;
  verdict?: "good" | "bad" | undefined;
};

/** A question's answer at a glance. */
export function LiveNumber({ value, note, verdict }: Props) {
  return (
    <p className={classes.live} data-verdict={verdict} style={{ margin: 0 }}>
      <b>{value ?? " "}</b>
      <span>{note}</span>
    </p>
  );
}
