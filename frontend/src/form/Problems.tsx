import { fieldId } from "@/form/FormContext";
import classes from "@/form/form.module.css";
import { pathLabel, plainMessage } from "@/lib/problems";

type Problem = { path: string; message: string };

/** What the API refuses, each leading to its field. */
export function Problems({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <div className={classes.problems} role="alert">
      {problems.map(({ path, message }) => (
        <a
          key={path}
          href={`#${fieldId(path)}`}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(fieldId(path))?.focus();
          }}
        >
          {path === "" ? "" : <b>{pathLabel(path)}</b>}{" "}
          {plainMessage(message.replace(/\.?\s*Engines that can answer:.*$/s, ""), path)}
        </a>
      ))}
    </div>
  );
}
