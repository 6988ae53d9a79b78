export { ChipPicker } from "./ChipPicker";
export { headroomFigure } from "./picture";
export { SchemeBars } from "./SchemeBars";
export { SchemeTable } from "./SchemeTable";
export { ShippedPanel } from "./ShippedPanel";
export { titleOf, type Pointed } from "./types";
