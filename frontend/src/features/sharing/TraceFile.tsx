import { useState } from "react";

import classes from "./sharing.module.css";
import { FileDrop } from "@/ui/FileDrop";

type Props = {
  /** Name of the file that replaces the incast. */
  name: string | undefined;
  /** What the API says is wrong with it. */
  problems: string[];
  onTake: (trace: { name: string; text: string } | undefined) => void;
};

/** Largest file: the limit of a request, less some room for the rest of the question. */
const MOST_BYTES = 0.9e6;

/** One's own arrivals instead of an incast: a CSV file, dropped here or chosen. */
export function TraceFile({ name, problems, onTake }: Props) {
  const [refused, setRefused] = useState("");
  const take = (file: File | undefined) => {
    setRefused("");
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      setRefused(
        `${file.name} has ${(file.size / 1e6).toFixed(1)} MB; this page takes at most ` +
          `${MOST_BYTES / 1e6} MB. The command footroom emulate has no limit.`,
      );
      return;
    }
    file.text().then(
      (text) => {
        onTake({ name: file.name, text });
      },
      () => {
        setRefused(`${file.name} cannot be read.`);
      },
    );
  };
  return (
    <div className={classes.trace}>
      {name === undefined ? (
        <FileDrop
          className={classes.drop}
          accept=".csv,text/csv,text/plain"
          onFiles={(files) => {
            take(files?.[0]);
          }}
        >
          <b>Your own arrivals</b>
          <span>
            A CSV file with the columns time [s], port, size [B] and optionally flow replaces the incast. It stays in
            this page; a link does not carry it.
          </span>
        </FileDrop>
      ) : (
        <p className={classes.taken}>
          <b>{name}</b> replaces the incast.
          <button
            type="button"
            onClick={() => {
              setRefused("");
              onTake(undefined);
            }}
          >
            Back to the incast
          </button>
        </p>
      )}
      {[...(refused === "" ? [] : [refused]), ...problems].map((problem) => (
        <p key={problem} role="alert" className={classes.refused}>
          {problem}
        </p>
      ))}
    </div>
  );
}
