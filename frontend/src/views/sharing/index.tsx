import { Alone } from "./Alone";
import { PacketRun } from "./PacketRun";
import { Tools } from "./Tools";
import { Notices } from "@/features/status";
import { useSharing } from "@/views/sharing/state/useSharing";
import { Frame } from "@/ui/Frame";
import layout from "@/ui/layout.module.css";

/** Shared-buffer policies: the policies alone on a burst, or one of them in a packet run. */
export function View() {
  const bench = useSharing();
  return (
    <Frame
      title="Sharing"
      className={layout.main}
      tools={<Tools bench={bench} />}
      notice={<Notices offline={bench.offline} seen={bench.answer !== undefined} ignored={bench.ignored} />}
    >
      {bench.mode === "alone" ? <Alone bench={bench} /> : <PacketRun bench={bench} />}
    </Frame>
  );
}
