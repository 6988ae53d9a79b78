import classes from "./table.module.css";
import type { HeadroomAnswer } from "@/api/headroom";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { FormulaLine } from "@/ui/Formula";

/** More than asked for is not enough where the scheme does not hold. */
const judged = (margin: number, enough: boolean) => (margin >= 0 && !enough ? "unsure" : String(enough));

/** A measured watermark compared with one scheme. */
export function Measured({ answer: { watermark }, name }: { answer: HeadroomAnswer; name: string }) {
  const found = watermark?.schemes[name];
  if (found === undefined || !watermark) return null;
  const { predicted, margin, enough, valid, reaction, fitted, headroom, formula, reason } = found;
  const seen = formatQuantity(watermark.bytes, "B");
  return (
    <div className={classes.judged} data-enough={judged(margin, enough)}>
      <p>
        <b>
          {margin >= 0
            ? `The measured ${seen} leave ${formatQuantity(margin, "B")}`
            : `The measured ${seen} are ${formatQuantity(-margin, "B")} more`}
        </b>{" "}
        {margin >= 0 ? "of" : "than"} the {formatQuantity(predicted, "B")} this scheme predicts for the link it was
        measured on{margin >= 0 && !enough ? ", which is outside its validity" : ""}.
      </p>
      {valid && fitted && formula && typeof headroom === "number" ? (
        <>
          <p>
            The watermark means a reaction of {formatQuantity(fitted.seconds, "s")} instead of{" "}
            {formatQuantity(reaction.seconds, "s")}, and a headroom of <b>{exactBytes(headroom)}</b> here.
          </p>
          <FormulaLine text={formula} />
        </>
      ) : (
        <p>{reason}</p>
      )}
    </div>
  );
}

/** How slow a peer the configured headroom covers, by one scheme. */
export function Configured({ answer: { configured }, name }: { answer: HeadroomAnswer; name: string }) {
  const found = configured?.schemes[name];
  if (found === undefined || !configured) return null;
  const { needed, margin, enough, valid, reaction, slack, reason } = found;
  return (
    <div className={classes.judged} data-enough={judged(margin, enough)}>
      <p>
        <b>
          The configured {formatQuantity(configured.bytes, "B")}{" "}
          {enough
            ? `are enough, with ${formatQuantity(margin, "B")} to spare`
            : margin < 0
              ? `are ${formatQuantity(-margin, "B")} too few`
              : `are ${formatQuantity(margin, "B")} more`}
        </b>{" "}
        {margin >= 0 && !enough ? "than" : "for"} the {formatQuantity(needed, "B")} this scheme asks for
        {margin >= 0 && !enough ? ", outside its validity" : ""}.
      </p>
      {valid && reaction && typeof slack === "number" ? (
        <p>
          They leave {formatQuantity(reaction.seconds, "s")} ({Math.floor(reaction.quanta)} quanta) for both ends to
          react: {formatQuantity(Math.abs(slack), "s")} {slack < 0 ? "less" : "more"} than assumed.
        </p>
      ) : (
        <p>{reason}</p>
      )}
    </div>
  );
}
