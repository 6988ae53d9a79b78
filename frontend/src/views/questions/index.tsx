import { useQuery } from "@tanstack/react-query";

import { Live } from "./Live";
import { Picture } from "./Picture";
import classes from "./start.module.css";
import { Unreachable } from "@/api/problem";
import { questionsQuery } from "@/api/questions";
import { QuestionList, Unanswered } from "@/views/questions/panels";
import { Notices } from "@/features/status";
import { useIgnored } from "@/state/useDocument";
import { Frame } from "@/ui/Frame";

/** The address of this page takes no fields. */
const NONE: string[] = [];

/** The start page: what people ask. */
export function View() {
  const { data, error } = useQuery(questionsQuery);
  const ignored = useIgnored(NONE);
  const answered = data?.filter(({ answerable }) => answerable) ?? [];
  const others = data?.filter(({ answerable }) => !answerable) ?? [];
  return (
    <Frame
      title=""
      className={classes.page}
      notice={<Notices offline={error instanceof Unreachable} seen={data !== undefined} ignored={ignored} />}
    >
      <div className={classes.inner}>
        <header className={classes.head}>
          <h1>How much buffer does this switch need, and set how?</h1>
          <p>
            Pick the question nearest to yours. Its page gives the answer first; change the values, and the answer
            follows with its formulas and sources.
          </p>
        </header>
        <div className={classes.topics}>
          <Picture />
          <QuestionList questions={answered} Live={Live} />
        </div>
        <Unanswered questions={others} />
      </div>
    </Frame>
  );
}
