import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { Findings } from "./Findings";
import classes from "./transfer.module.css";
import { wordsOf } from "@/api/problem";
import { importConfiguration, targetsQuery, type Configuration, type Imported } from "@/views/headroom/api";
import { sharingCodec } from "@/lib/emulation";
import { isObject, type JsonObject } from "@/lib/path";
import { poolsText, portsText } from "@/views/headroom/lib/transfer";
import { pathOf } from "@/lib/views";
import { FileDrop } from "@/ui/FileDrop";

type Props = {
  /** The chip that a configuration must fit. */
  chip: JsonObject;
  /** Takes ports and pools of a configuration over into the form. */
  onTake: (ports: string, pools: string) => void;
};

/** A configuration read from files: what it amounts to, and what is wrong with it. */
export function Import({ chip, onTake }: Props) {
  const { data } = useQuery(targetsQuery);
  const source = data?.sources[0]?.name;
  const [unread, setUnread] = useState("");
  const read = useMutation({
    mutationFn: (configuration: Configuration) => importConfiguration(source ?? "", { ...chip, ...configuration }),
  });
  const take = (files: FileList | null) => {
    setUnread("");
    configurationOf([...(files ?? [])]).then(read.mutate, (error: unknown) => {
      setUnread(error instanceof Error ? error.message : String(error));
    });
  };
  return (
    <div className={classes.transfer}>
      <FileDrop className={classes.drop} multiple accept=".json,.ini,application/json,text/plain" onFiles={take}>
        <span>
          <b>Drop a config_db.json here</b>, with its pg_profile_lookup.ini if you have it, or choose files. They are
          read by this server only.
        </span>
      </FileDrop>
      {unread !== "" && (
        <p className={classes.refused} role="alert">
          {unread}
        </p>
      )}
      {read.error !== null && (
        <p className={classes.refused} role="alert">
          {wordsOf(read.error)}
        </p>
      )}
      {read.data !== undefined && (
        <>
          <button
            type="button"
            className={classes.button}
            onClick={() => {
              onTake(...takenFrom(read.data));
            }}
          >
            Copy its ports and pools into the form
          </button>
          <AsScenario imported={read.data} />
          <Findings imported={read.data} />
        </>
      )}
    </div>
  );
}

/** The switch as configured with a host on each port, to be run in packets; or why there is none. */
function AsScenario({ imported: { scenario, scenario_notes: notes } }: { imported: Imported }) {
  return (
    <div className={classes.findings}>
      {scenario === null ? (
        <p className={classes.unknown}>The packet simulation cannot run it: {notes.join("; ")}.</p>
      ) : (
        <>
          <Link
            className={classes.button}
            to={pathOf("sharing")}
            search={{
              query: sharingCodec.encode({
                page: { mode: "run" },
                run: { from: "this configuration", scenario },
              }),
            }}
          >
            Run packets, with a host on each port
          </Link>
          {notes.length > 0 && <p className={classes.unknown}>In that scenario: {notes.join("; ")}.</p>}
        </>
      )}
    </div>
  );
}

const takenFrom = ({ ports, pools }: Imported): [string, string] => [portsText(ports), poolsText(pools)];

/** The files' contents. Throws what is wrong with them in words. */
async function configurationOf(files: File[]): Promise<Configuration> {
  const json = files.find(({ name }) => name.endsWith(".json"));
  if (json === undefined) throw new Error("A config_db.json is needed; its name ends in .json.");
  const lookup = files.find(({ name }) => name.endsWith(".ini"));
  let content: unknown;
  try {
    content = JSON.parse(await json.text());
  } catch {
    throw new Error(`${json.name} is not valid JSON.`);
  }
  if (!isObject(content)) throw new Error(`${json.name} is not a JSON object with tables.`);
  return { config_db: content, ...(lookup === undefined ? {} : { pg_profile_lookup: await lookup.text() }) };
}
