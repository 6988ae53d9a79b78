import classes from "./questions.module.css";

type Props = {
  /** Absent while it is being computed. */
  value: string | undefined;
  /** What the number is. */
  note: string;
  verdict?: "good" | "bad" | undefined;
  /** Outside what its model holds for. */
  outside?: boolean;
};

/** A question's answer at a glance. */
export function LiveNumber({ value, note, verdict, outside = false }: Props) {
  return (
    <p className={classes.live} data-verdict={verdict} style={{ margin: 0 }}>
      <b data-outside={outside}>{value ?? " "}</b>
      <span>{outside ? `${note}, outside validity` : note}</span>
    </p>
  );
}
