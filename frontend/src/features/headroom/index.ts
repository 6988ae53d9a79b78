export { ChipPicker } from "./ChipPicker";
export { SchemeBars } from "./SchemeBars";
export { SchemeTable } from "./SchemeTable";
export { ShippedPanel } from "./ShippedPanel";
export { shippedXoff } from "./shipped";
export { PARTS, titleOf, type Pointed } from "./types";
