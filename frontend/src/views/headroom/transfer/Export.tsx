import { useQuery } from "@tanstack/react-query";

import { Files } from "./Files";
import classes from "./transfer.module.css";
import { ApiProblem } from "@/api/problem";
import { exportQuery, targetsQuery, type Exported } from "@/views/headroom/api";
import type { JsonObject } from "@/lib/path";

type Props = {
  /** What is to be configured; undefined while there is nothing to configure. */
  options: JsonObject | undefined;
  target: string | undefined;
  onTarget: (target: string | undefined) => void;
};

/** The configuration of the switch, for one of several operating systems. */
export function Export({ options, target, onTarget }: Props) {
  const { data } = useQuery(targetsQuery);
  const made = useQuery(exportQuery(target, options));
  return (
    <div className={classes.transfer}>
      <div className={classes.targets} role="group" aria-label="Operating system">
        {data?.targets.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            className={classes.target}
            aria-pressed={name === target}
            title={title}
            onClick={() => {
              onTarget(name === target ? undefined : name);
            }}
          >
            {title.split(/[:,]/)[0]}
          </button>
        ))}
      </div>
      {target !== undefined && made.error instanceof ApiProblem && <Refused problem={made.error} />}
      {target !== undefined && made.data?.target === target && <Made made={made.data} />}
    </div>
  );
}

function Refused({ problem: { title, detail, errors } }: { problem: ApiProblem }) {
  return (
    <div className={classes.refused} role="alert">
      <p>
        <b>{title}.</b> {errors.length === 0 && detail}
      </p>
      {errors.map(({ path, message }) => (
        <p key={path + message}>
          <b>{path}</b> {message}
        </p>
      ))}
    </div>
  );
}

function Made({ made: { files, warnings, validation } }: { made: Exported }) {
  const schema = typeof validation.schema === "string" ? validation.schema : "";
  return (
    <>
      <p className={classes.validation} data-valid={validation.valid === true}>
        {validation.valid === true ? (
          <>Checked against {schema}: no errors.</>
        ) : (
          <b>{schema.charAt(0).toUpperCase() + schema.slice(1)}.</b>
        )}
      </p>
      <ul className={classes.warnings}>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <Files files={files} />
    </>
  );
}
