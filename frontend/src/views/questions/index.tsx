import { Link } from "@tanstack/react-router";

import { VIEWS } from "@/lib/views";
import { Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

/** The start page. */
export function QuestionsView() {
  return (
    <Frame title="" className={layout.plain}>
      <h1>How much buffer does this switch need, and set how?</h1>
      <ul>
        {VIEWS.filter(({ id }) => id !== "questions").map(({ id, path, title }) => (
          <li key={id}>
            <Link to={path}>{title}</Link>
          </li>
        ))}
      </ul>
    </Frame>
  );
}
