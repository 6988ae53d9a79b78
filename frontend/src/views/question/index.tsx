import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";

import classes from "./question.module.css";
import { Sentence } from "./Sentence";
import { ANSWERS } from "@/answers";
import type { Kind } from "@/answers/types";
import { Unreachable } from "@/api/problem";
import { questionsQuery, type Question } from "@/api/questions";
import { Offline, Waiting } from "@/features/status";
import { TakeMenu } from "@/features/share";
import { Fold } from "@/form/Fold";
import { encodeLeaf } from "@/lib/leaves";
import type { JsonObject } from "@/lib/path";
import { VIEWS } from "@/lib/views";
import { useQuestion } from "@/state/useQuestion";
import page from "@/ui/answerPage.module.css";
import { answers, Frame } from "@/ui/Frame";

/** One question: the answer first, then how it was found, then the fields to change. */
export function View() {
  const { question: id }: { question?: string } = useParams({ strict: false });
  const { data, error } = useQuery(questionsQuery);
  const index = data?.findIndex((one) => one.id === id || String(one.number) === id) ?? -1;
  const asked = data?.[index];
  const kind = asked === undefined ? undefined : ANSWERS[asked.id];
  const offline = error instanceof Unreachable;
  if (data === undefined)
    return (
      <Frame title="Question" className={page.page} notice={offline && <Offline seen={false} />}>
        {!offline && <Waiting />}
      </Frame>
    );
  if (asked === undefined || kind === undefined) return <Unknown id={id ?? ""} />;
  const next = data.slice(index + 1).find(({ answerable }) => answerable);
  return <One key={asked.id} question={asked} kind={kind} next={next} />;
}

const never = () => false;

function Unknown({ id }: { id: string }) {
  return (
    <Frame title="Unknown question" className={page.page}>
      <div className={page.inner}>
        <h1>Unknown question “{id}”</h1>
        <p>
          <Link to="/">All questions</Link>
        </p>
      </div>
    </Frame>
  );
}

function One({ question, kind, next }: { question: Question; kind: Kind; next: Question | undefined }) {
  const own = question.values;
  const { values, changed, change, reset } = useQuestion(own);
  const { Answer, Evidence, Inputs, title, more = [] } = kind;
  const useStale = kind.useStale ?? never;
  const stale = useStale(values);
  const edited = Object.keys(changed).some((path) => !path.startsWith("page.scheme"));
  return (
    <Frame title={question.question} className={page.page} tools={<Tools question={question} edited={edited} />}>
      <div className={page.inner}>
        <div className={page.main}>
          <nav aria-label="Questions" className={classes.trail}>
            <Link to="/">All questions</Link>
            <span>{question.topic}</span>
            {next !== undefined && (
              <Link
                to="/questions/$question"
                params={{ question: next.id }}
                search={{ query: "" }}
                className={classes.next}
              >
                Next: {next.question}
              </Link>
            )}
          </nav>
          <h1>{question.question}</h1>
          <div data-stale={stale}>
            <Answer values={values} show={Sentence} />
          </div>
          <p className={page.why}>{question.why}</p>
          <section {...answers} className={page.evidence} aria-label={title} data-stale={stale}>
            <h2>{title}</h2>
            <div className={page.scroll} tabIndex={0} role="group" aria-label={title}>
              <Evidence values={values} change={change} />
            </div>
          </section>
          <div {...answers} data-stale={stale}>
            {more.map(({ title: heading, Part }) => (
              <Fold key={heading} title={heading} level={1}>
                <Part values={values} change={change} />
              </Fold>
            ))}
          </div>
          <Fold title="Command and source" level={1}>
            {!edited && (
              <p>
                <code className={classes.command}>{question.command}</code>
              </p>
            )}
            <p className={page.why}>
              Where people ask it: <a href={question.source}>{question.source}</a>
            </p>
          </Fold>
        </div>
        <aside className={page.inputs} aria-label="Your values">
          <div className={classes.head}>
            <h2>Your values</h2>
            {edited && (
              <button type="button" onClick={reset}>
                Reset
              </button>
            )}
          </div>
          <Inputs values={values} change={change} />
          <FullView question={question} changed={changed} />
        </aside>
      </div>
    </Frame>
  );
}

/** The view with every field, the same values filled in. */
function FullView({ question: { view, link }, changed }: { question: Question; changed: JsonObject }) {
  const info = VIEWS.find(({ id }) => id === view);
  const query = useMemo(() => {
    const search = new URLSearchParams(link.split("?")[1] ?? "");
    for (const [path, value] of Object.entries(changed)) {
      const text = encodeLeaf(value);
      // The buffer view takes changes of its scenario as such; what is this page's own means nothing there.
      if (view !== "buffer" || path === "need") search.set(path, text);
      else if (!path.startsWith("page.")) search.append("set", `${path}:${text}`);
    }
    return search.toString();
  }, [link, changed, view]);
  if (info === undefined) return null;
  return (
    <p className={classes.full}>
      <Link to={info.path} search={{ query }}>
        All fields, in {info.title}
      </Link>
    </p>
  );
}

function Tools({ question, edited }: { question: Question; edited: boolean }) {
  return (
    <TakeMenu
      items={({ copy }) => [
        [
          [
            "Copy link",
            "this question with your values",
            () => {
              copy("Link", window.location.href);
            },
          ],
          ...(edited
            ? []
            : [
                [
                  "Copy as a command",
                  question.command.split(" ").slice(0, 2).join(" "),
                  () => {
                    copy("Command", question.command);
                  },
                ] as [string, string, () => void],
              ]),
        ],
      ]}
    />
  );
}
