export { AxisPicker } from "./AxisPicker";
export { CellsTable } from "./CellsTable";
export { Course } from "./Course";
export { MapPlot } from "./MapPlot";
export { PublishedPicker } from "./PublishedPicker";
export { Verdict } from "./Verdict";
