import classes from "./sharing.module.css";
import { MODES, type Mode } from "@/lib/emulation";

const titles: Record<Mode, string> = { alone: "Policies alone", run: "Packet run" };
const hints: Record<Mode, string> = {
  alone: "A burst that nothing slows, all policies side by side, at once",
  run: "Senders that react, one policy, simulated",
};

/** Which of the two questions is asked. */
export function Modes({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    <div className={classes.modes}>
      <p>Shared-buffer policies</p>
      <div role="group" aria-label="What is asked">
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
