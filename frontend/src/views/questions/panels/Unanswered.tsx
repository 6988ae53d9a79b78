import classes from "./questions.module.css";
import type { Question } from "@/api/questions";

/** The questions that cannot be answered yet, each with what is missing. */
export function Unanswered({ questions }: { questions: Question[] }) {
  if (questions.length === 0) return null;
  return (
    <section className={classes.unanswered} aria-label="Not answered yet">
      <h2 className={classes.title}>Not answered yet</h2>
      <ul className={classes.list}>
        {questions.map(({ id, question, missing }) => (
          <li key={id} className={classes.missing}>
            <p>{question}</p>
            <p className={classes.why}>{missing}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
