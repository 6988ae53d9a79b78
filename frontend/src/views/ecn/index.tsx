import { BeingBuilt } from "@/ui/BeingBuilt";

export function EcnView() {
  return <BeingBuilt title="ECN" />;
}
