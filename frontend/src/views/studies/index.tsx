import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { useState } from "react";

import { wordsOf } from "@/api/problem";
import { Notices, Waiting } from "@/features/status";
import { useIgnored } from "@/state/useDocument";
import { FileDrop } from "@/ui/FileDrop";
import { Frame } from "@/ui/Frame";
import { STATUSES, storedQuery, take, type Sought } from "@/views/studies/api";
import { StudyRow } from "@/views/studies/StudyRow";
import classes from "@/views/studies/studies.module.css";

/** The address of this page takes no fields. */
const NONE: string[] = [];

/** The studies that the server keeps: found, watched, named, run again, moved as files and removed. */
export function View() {
  const [sought, setSought] = useState<Sought>({ search: "", status: "", tag: "" });
  const stored = useInfiniteQuery(storedQuery(sought));
  const queries = useQueryClient();
  const ignored = useIgnored(NONE);
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queries.invalidateQueries({ queryKey: ["stored"] }),
  });
  const studies = stored.data?.pages.flatMap((page) => page.studies);
  const error = change.error ?? (stored.data === undefined ? stored.error : null);
  const look = (part: Partial<Sought>) => {
    setSought({ ...sought, ...part });
  };
  return (
    <Frame
      title="Studies"
      notice={<Notices offline={stored.isError && stored.data !== undefined} seen ignored={ignored} />}
    >
      <section className={classes.page} aria-label="Stored studies">
        <h1>Stored studies</h1>
        <div className={classes.tools}>
          <label>
            Name or id
            <input
              type="search"
              value={sought.search}
              maxLength={200}
              onChange={({ currentTarget }) => {
                look({ search: currentTarget.value });
              }}
            />
          </label>
          <label>
            Tag
            <input
              type="search"
              value={sought.tag}
              maxLength={40}
              onChange={({ currentTarget }) => {
                look({ tag: currentTarget.value });
              }}
            />
          </label>
          <label>
            Status
            <select
              value={sought.status}
              onChange={({ currentTarget }) => {
                look({ status: currentTarget.value });
              }}
            >
              <option value="">any</option>
              {STATUSES.map((status) => (
                <option key={status}>{status}</option>
              ))}
            </select>
          </label>
          <FileDrop
            className={classes.drop}
            accept=".footroom-study"
            onFiles={(files) => {
              const file = files?.[0];
              if (file !== undefined) change.mutate(() => take(file));
            }}
          >
            Import a file
          </FileDrop>
        </div>
        {error !== null && (
          <p className={classes.failure} role="alert">
            {wordsOf(error)}
          </p>
        )}
        {studies === undefined && error === null && <Waiting />}
        {studies?.length === 0 && <p>No study matches. Every simulation that you run is kept here.</p>}
        {studies !== undefined && studies.length > 0 && (
          <div className={classes.wrap} tabIndex={0} role="region" aria-label="Table of studies">
            <table className={classes.table}>
              <thead>
                <tr>
                  {["Name", "Status", "Points", "Created", "Tags", "Actions"].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {studies.map((study) => (
                  <StudyRow key={study.id} study={study} busy={change.isPending} onChange={change.mutate} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {stored.hasNextPage && (
          <Button size="compact-sm" variant="default" onClick={() => void stored.fetchNextPage()}>
            Older studies
          </Button>
        )}
      </section>
    </Frame>
  );
}
