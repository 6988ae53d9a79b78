import classes from "./sharing.module.css";
import { MODES, type Mode } from "@/lib/emulation";

const titles: Record<Mode, string> = { alone: "Policies alone", run: "Packet run" };
const hints: Record<Mode, string> = {
  alone: "Senders do not react to loss; all policies side by side, at once",
  run: "Senders react to loss; one policy, simulated",
};

/** Which of the two questions is asked. */
export function Modes({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    <div className={classes.modes}>
      <p>Shared-buffer policies</p>
      <div role="group" aria-label="Kind of run">
        {MODES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === mode}
            title={hints[one]}
            onClick={() => {
              onMode(one);
            }}
          >
            {titles[one]}
          </button>
        ))}
      </div>
    </div>
  );
}
