import { Button, Progress } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { forgetStudy } from "@/api/studies";
import { duration, percent } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { encodeView } from "@/lib/permalink";
import { DEFAULT_VIEW } from "@/lib/view";
import { pathOf } from "@/lib/views";
import { cancel, ended, fileOf, label, remove, rerun, type Study } from "@/views/studies/api";
import classes from "@/views/studies/studies.module.css";

type Props = {
  study: Study;
  busy: boolean;
  onChange: (work: () => Promise<unknown>) => void;
};

/** One study: how far it is, what it is called, and what can be done with it. */
export function StudyRow({ study, busy, onChange }: Props) {
  const [editing, setEditing] = useState(false);
  const queries = useQueryClient();
  const over = ended(study);
  const scenario = study.request.scenario as JsonObject;
  const name = study.name === "" ? study.id.slice(0, 12) : study.name;
  const act = (title: string, work: () => Promise<unknown>) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={busy}
      aria-label={`${title}: ${name}`}
      onClick={() => {
        onChange(work);
      }}
    >
      {title}
    </Button>
  );
  return (
    <tr>
      <th scope="row">
        <Link to={pathOf("buffer")} search={{ query: encodeView({ ...DEFAULT_VIEW, scenario }) }}>
          {name}
        </Link>
        <code>{study.id.slice(0, 12)}</code>
      </th>
      <td>
        {study.status}
        {study.status === "running" && (
          <>
            {` ${percent(study.progress)}`}
            {typeof study.seconds_left === "number" && `, ${duration(study.seconds_left)} left`}
            <Progress size="xs" value={study.progress * 100} aria-label={`Progress of ${name}`} />
          </>
        )}
        {study.status === "failed" && <p>{study.error?.detail}</p>}
      </td>
      <td>{`${String(study.points)} of ${String(study.cost.points)}`}</td>
      <td>{new Date(study.created).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}</td>
      <td>{study.tags.join(", ")}</td>
      <td className={classes.actions}>
        {over ? act("Run again", () => rerun(study.id)) : act("Cancel", () => cancel(study.id))}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Name and tags: ${name}`}
          aria-expanded={editing}
          onClick={() => {
            setEditing(!editing);
          }}
        >
          Name and tags
        </Button>
        {over && (
          <a href={fileOf(study.id)} download aria-label={`Export: ${name}`}>
            Export
          </a>
        )}
        {over &&
          act("Delete", () =>
            remove(study.id).then(() => {
              forgetStudy(queries, study.id);
            }),
          )}
        {editing && (
          <Labels
            study={study}
            onSave={(body) => {
              setEditing(false);
              onChange(() => label(study.id, body));
            }}
          />
        )}
      </td>
    </tr>
  );
}

function Labels({ study, onSave }: { study: Study; onSave: (body: { name?: string; tags: string[] }) => void }) {
  const [name, setName] = useState(study.name);
  const [tags, setTags] = useState(study.tags.join(", "));
  return (
    <form
      className={classes.labels}
      onSubmit={(event) => {
        event.preventDefault();
        const words = tags.split(",").map((tag) => tag.trim());
        onSave({ ...(name.trim() === "" ? {} : { name }), tags: words.filter((tag) => tag !== "") });
      }}
    >
      <label>
        Name
        <input
          value={name}
          maxLength={200}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
      </label>
      <label>
        Tags, separated by commas; with “keep” it never expires
        <input
          value={tags}
          onChange={({ currentTarget }) => {
            setTags(currentTarget.value);
          }}
        />
      </label>
      <Button size="compact-sm" variant="default" type="submit">
        Save
      </Button>
    </form>
  );
}
