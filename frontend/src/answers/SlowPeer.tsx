import classes from "./answers.module.css";
import { headroomInputs, schemeOf, useLink, useStaleLink } from "@/answers/headroom";
import { doubtful } from "@/answers/outside";
import type { AnswerProps, Finding, Kind, PartProps } from "@/answers/types";
import type { HeadroomAnswer } from "@/api/headroom";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

export function finding({ configured, schemes }: HeadroomAnswer, name: string): Finding | undefined {
  const found = configured?.schemes[name];
  const title = schemes[name]?.title ?? name;
  if (!configured || found === undefined)
    return {
      value: "no setting",
      note: "enter Configured",
      before: "There is",
      after: "to judge yet: enter the configured headroom.",
    };
  const { slack, reaction, margin } = found;
  const outside = schemes[name]?.outside ?? "";
  const enough = margin >= 0;
  if (typeof slack !== "number" || !reaction) {
    return doubtful(
      {
        value: formatQuantity(Math.abs(margin), "B"),
        note: enough ? "to spare" : "missing",
        verdict: enough ? "good" : "bad",
        before: enough ? "Yes:" : "No:",
        after: `${enough ? "to spare" : "missing"} by ${title}.`,
      },
      outside,
    );
  }
  const late = slack < 0;
  const limit = schemes[name]?.parameters.find((one) => one.name === "response_quanta" && one.from === "given")?.value;
  const standard = typeof limit === "number" ? `the ${limit} quanta entered` : "the standard's limit";
  const others = Object.entries(configured.schemes)
    .filter(([other, { enough: judged }]) => other !== name && schemes[other]?.outside === "" && judged !== enough)
    .map(([other]) => schemes[other]?.title ?? other);
  const unlike =
    others.length === 0 ? "" : ` By ${others.join(" and ")} ${enough ? "it can drop" : "it stays lossless"}.`;
  return doubtful(
    {
      value: formatQuantity(Math.abs(slack), "s"),
      note: late ? "not covered" : "of extra delay covered",
      verdict: late ? "bad" : "good",
      before: late ? `No: by ${title} the peer would have to respond` : `Yes: by ${title} the peer may respond`,
      after:
        `${late ? "sooner" : "later"} than ${standard}. ${exactBytes(configured.bytes)} cover ` +
        `${formatQuantity(reaction.seconds, "s")} (${Math.floor(reaction.quanta)} quanta) of reaction in all.${unlike}`,
    },
    outside,
  );
}

function Slack({ values, show: Show }: AnswerProps) {
  const { answer, error } = useLink(values);
  return <Show found={answer && finding(answer, schemeOf(values))} error={error} />;
}

function Table({ values }: PartProps) {
  const { answer } = useLink(values);
  if (!answer?.configured)
    return <p className={classes.text}>Enter the configured headroom to see what it leaves for the peer.</p>;
  const { configured, schemes } = answer;
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">
          What the configured headroom leaves for the peer&apos;s response, by scheme
        </caption>
        <thead>
          <tr>
            <th scope="col">Scheme</th>
            <th scope="col">Needed</th>
            <th scope="col">Margin</th>
            <th scope="col">Reaction covered</th>
            <th scope="col">Compared with assumed</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(configured.schemes).map(([name, { needed, margin, reaction, slack, enough, valid }]) => (
            <tr key={name} data-chosen={name === schemeOf(values)}>
              <th scope="row">{schemes[name]?.title ?? name}</th>
              <td>
                <span data-outside={schemes[name]?.outside !== ""}>{exactBytes(needed)}</span>
              </td>
              <td>
                {margin < 0 ? "−" : ""}
                {formatQuantity(Math.abs(margin), "B")}
              </td>
              <td>{valid && reaction ? formatQuantity(reaction.seconds, "s") : "–"}</td>
              <td>
                {valid && typeof slack === "number"
                  ? `${formatQuantity(Math.abs(slack), "s")} ${slack < 0 ? "less" : "more"}`
                  : "–"}
              </td>
              <td data-bad={margin < 0}>
                {enough ? "lossless" : margin < 0 ? "can drop" : <span data-outside>outside validity</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.text}>
        IEEE 802.3 31B.3.7 limits the peer&apos;s response in quanta of 512 bits. The vendor&apos;s rule adds what cells
        and small packets take in memory, which is why it asks for more.
      </p>
    </>
  );
}

export const slowPeer: Kind = {
  Answer: Slack,
  useStale: useStaleLink,
  title: "What the setting leaves for the peer",
  Evidence: Table,
  Inputs: headroomInputs({ link: ["speed", "cable", "configured", "response_quanta"] }),
};
