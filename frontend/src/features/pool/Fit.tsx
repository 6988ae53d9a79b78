import classes from "./pool.module.css";
import { MemoryBar } from "./MemoryBar";
import type { PoolAnswer } from "@/api/pool";
import { exactBytes, grouped, percent } from "@/lib/number";
import { pathLabel, plainText } from "@/lib/problems";
import { formatQuantity } from "@/lib/quantity";
import type { Json } from "@/lib/path";

type Props = {
  answer: PoolAnswer;
  /** Schemes with their titles, for the comparison. */
  titles: Record<string, string>;
  scheme: string;
  onScheme: (scheme: string) => void;
  /** Takes one way out: sets a field of the pool's question. */
  onFit: (path: string, value: Json) => void;
};

/** Whether the guarantees fit the chip, what is left, and what would fit instead. */
export function Fit({ answer, titles, scheme, onScheme, onFit }: Props) {
  const { feasible, footroom, committed, memory, outside, reason, schemes, would_fit: ways } = answer;
  return (
    <div className={classes.fit}>
      <p
        className={classes.verdict}
        data-feasible={feasible}
        data-outside={outside !== ""}
        role={feasible ? undefined : "alert"}
      >
        {feasible ? (
          <>
            <b>{outside === "" ? "It fits." : "Perhaps it fits."}</b> {formatQuantity(committed.bytes, "B")} are
            guaranteed, {formatQuantity(footroom.bytes, "B")} ({percent(footroom.share)}) of{" "}
            {formatQuantity(memory.buffer, "B")} are footroom, left to share.
          </>
        ) : (
          <>
            <b>It does not fit.</b> {digits(sentence(reason))}
          </>
        )}
        {outside !== "" && ` The headroom is outside validity: ${plainText(outside)}.`}
      </p>
      <MemoryBar answer={answer} />
      {!feasible && (
        <div className={classes.ways}>
          <h3>What would fit, each alone</h3>
          <ul>
            {ways
              .filter(({ text }) => text !== "not enough alone")
              .map(({ path, value, text }) => (
                <li key={`${path}${text}`}>
                  <b>{pathLabel(path)}</b>: {digits(text)}
                  {value !== null && !path.includes(".") && (
                    <button
                      type="button"
                      className={classes.link}
                      onClick={() => {
                        onFit(path, value);
                      }}
                    >
                      Set
                    </button>
                  )}
                </li>
              ))}
          </ul>
        </div>
      )}
      {schemes !== null && (
        <table className={classes.table}>
          <caption>All groups together by each scheme, before any pooling</caption>
          <thead>
            <tr>
              <th scope="col">Scheme</th>
              <th scope="col">each</th>
              <th scope="col">together</th>
              <th scope="col">left to share</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(schemes).map(([name, { each, per, bytes, left, outside: beyond }]) => (
              <tr key={name} data-chosen={name === scheme}>
                <th scope="row">
                  <button
                    type="button"
                    className={classes.link}
                    aria-pressed={name === scheme}
                    onClick={() => {
                      onScheme(name);
                    }}
                  >
                    {titles[name] ?? "…"}
                  </button>
                </th>
                <td data-outside={beyond !== ""}>
                  {each.map((size) => exactBytes(size)).join(", ")}{" "}
                  <small>
                    per {per}
                    {beyond === "" ? "" : ", outside validity"}
                  </small>
                </td>
                <td data-outside={beyond !== ""}>{formatQuantity(bytes, "B")}</td>
                <td data-outside={beyond !== ""} data-bad={left < 0}>
                  {left < 0 ? `${formatQuantity(-left, "B")} too few` : formatQuantity(left, "B")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Long numbers as everywhere on the page. */
const digits = (text: string) => text.replace(/\b\d{5,}\b/g, (number) => grouped(Number(number)));
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
