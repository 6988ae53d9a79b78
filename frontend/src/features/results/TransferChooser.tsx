import classes from "./results.module.css";
import { offeredSizes } from "@/lib/oneMore";

export type Transfer = {
  size: string;
  probing: boolean;
  onSize: (size: string) => void;
  onProbing: (probing: boolean) => void;
};

/** The size of the transfer whose completion time is drawn, and whether packet runs measure it. */
export function TransferChooser({ size, probing, onSize, onProbing }: Transfer) {
  return (
    <>
      <select
        className={classes.picker}
        aria-label="Size of the transfer"
        title={
          "One more flow over the bottleneck, at the topology's round trip: from the first byte sent to the last one " +
          "acknowledged, without the handshake. Median, and 99th percentile dashed."
        }
        value={size}
        onChange={(event) => {
          onSize(event.currentTarget.value);
        }}
      >
        {offeredSizes(size).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <label
        className={classes.probing}
        title={
          "Packet runs start transfers of this size beside the load, 1 % of the link, and measure how long they take. " +
          "The 99th percentile needs 368 of them."
        }
      >
        <input
          type="checkbox"
          checked={probing}
          onChange={(event) => {
            onProbing(event.currentTarget.checked);
          }}
        />
        probes
      </label>
    </>
  );
}
