import { BeingBuilt } from "@/ui/BeingBuilt";

export function HeadroomView() {
  return <BeingBuilt title="Headroom" />;
}
