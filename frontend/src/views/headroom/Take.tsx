import classes from "./headroom.module.css";
import { Export, Import } from "@/views/headroom/transfer";
import { getPath } from "@/lib/path";
import { exportOf } from "@/views/headroom/lib/transfer";
import type { HeadroomBench } from "@/views/headroom/state/useHeadroom";

const CHIP = ["asic", "buffer", "cell_size"];

/** To the switch and back: its configuration made from what is here, or read from its files. */
export function Take({ bench: { state, pooled, change } }: { bench: HeadroomBench }) {
  const target = getPath(state, "page.export");
  const chip = Object.fromEntries(CHIP.flatMap((name) => (state[name] === undefined ? [] : [[name, state[name]]])));
  return (
    <>
      <section className={classes.part} aria-label="Export">
        <h2>Export configuration</h2>
        <Export
          options={pooled === undefined ? undefined : exportOf(pooled)}
          target={typeof target === "string" ? target : undefined}
          onTarget={(name) => {
            change("page.export", name);
          }}
        />
      </section>
      <section className={classes.part} aria-label="Import">
        <h2>Check a configuration</h2>
        <Import
          chip={chip}
          onTake={(ports, pools) => {
            change(
              { "pool.ports": ports === "" ? undefined : ports, "pool.pools": pools === "" ? undefined : pools },
              undefined,
              "push",
            );
          }}
        />
      </section>
    </>
  );
}
