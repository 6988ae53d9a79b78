import { Alone } from "./Alone";
import { PacketRun } from "./PacketRun";
import { Tools } from "./Tools";
import { Offline } from "@/features/status";
import { useSharing } from "@/state/useSharing";
import { Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

/** Who may take how much, when: the policies alone on a burst, or one of them in a packet run. */
export function SharingView() {
  const bench = useSharing();
  return (
    <Frame title="Sharing" className={layout.main} tools={<Tools bench={bench} />} notice={bench.offline && <Offline seen={bench.answer !== undefined} />}>
      {bench.mode === "alone" ? <Alone bench={bench} /> : <PacketRun bench={bench} />}
    </Frame>
  );
}
