import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";

import classes from "./questions.module.css";
import type { Question } from "@/api/questions";

type Props = {
  questions: Question[];
  /** Shows a question's answer at a glance, where it has one. */
  Live: ComponentType<{ question: Question }>;
};

/** The questions that can be answered, by topic; each leads to its page. */
export function QuestionList({ questions, Live }: Props) {
  const topics = [...new Set(questions.map(({ topic }) => topic))];
  return topics.map((topic) => (
    <section key={topic} className={classes.topic} aria-label={topic}>
      <h2 className={classes.title}>{topic}</h2>
      <ul className={classes.list}>
        {questions
          .filter((question) => question.topic === topic)
          .map((question) => (
            <li key={question.id} className={classes.question}>
              <div>
                <Asked question={question} />
                <p className={classes.why}>{question.why}</p>
              </div>
              <Live question={question} />
            </li>
          ))}
      </ul>
    </section>
  ));
}

/** The question itself; its link covers the whole row. */
function Asked({ question: { id, question } }: { question: Question }) {
  return (
    <Link to={`/questions/${id}`} className={classes.link}>
      {question}
    </Link>
  );
}
