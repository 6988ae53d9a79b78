export { Progress } from "./Progress";
export { ControlsPlot } from "./ControlsPlot";
export { ControlsTable } from "./ControlsTable";
