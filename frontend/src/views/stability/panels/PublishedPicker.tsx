import { useQuery } from "@tanstack/react-query";

import classes from "./map.module.css";
import { publishedQuery } from "@/views/stability/api";
import { setPath, type JsonObject } from "@/lib/path";

/** Cases that others published margins for: the scenario opens with one, and their number stands beside ours. */
export function PublishedPicker({ onPick }: { onPick: (scenario: JsonObject) => void }) {
  const { data } = useQuery(publishedQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <div className={classes.published}>
      <select
        aria-label="Open a published case"
        value=""
        onChange={({ currentTarget }) => {
          const curve = data.find(({ id }) => id === currentTarget.value);
          if (curve === undefined) return;
          const flows = curve.flows[Math.min(4, curve.flows.length - 1)] ?? 2;
          const named = { name: curve.title, ...curve.scenario };
          onPick(setPath(named, "traffic.0.flows", flows) as JsonObject);
        }}
      >
        <option value="">Open a published case …</option>
        {data.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}
