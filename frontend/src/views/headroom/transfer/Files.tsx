import { useState } from "react";

import classes from "./transfer.module.css";
import { copyText, download } from "@/lib/browser";

/** Files to take away: each with its text, to be saved or copied. */
export function Files({ files }: { files: Record<string, unknown> }) {
  const names = Object.keys(files);
  const [wanted, setWanted] = useState<string>();
  const [copied, setCopied] = useState(false);
  const name = wanted !== undefined && names.includes(wanted) ? wanted : (names[0] ?? "");
  const content = files[name];
  const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
  return (
    <div className={classes.files}>
      <div className={classes.bar}>
        <label>
          File{" "}
          <select
            value={name}
            onChange={({ currentTarget }) => {
              setWanted(currentTarget.value);
            }}
          >
            {names.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className={classes.button}
          onClick={() => {
            download(name, text, name.endsWith(".json") ? "application/json" : "text/plain");
          }}
        >
          Download {name}
        </button>
        <button
          type="button"
          className={classes.link}
          onBlur={() => {
            setCopied(false);
          }}
          onClick={() => {
            void copyText(text).then(() => {
              setCopied(true);
            });
          }}
        >
          {copied ? "Copied" : "Copy"}
        </button>
      </div>
      <pre className={classes.text} tabIndex={0} aria-label={name}>
        {shortened(text)}
      </pre>
    </div>
  );
}

const MOST = 12_000;

/** A thousand ports make a long file; what is shown of it is its beginning. */
function shortened(text: string): string {
  return text.length <= MOST
    ? text
    : `${text.slice(0, text.lastIndexOf("\n", MOST))}\n… ${text.split("\n").length} lines in all`;
}
