import { BeingBuilt } from "@/ui/BeingBuilt";

export function StabilityView() {
  return <BeingBuilt title="Stability" />;
}
