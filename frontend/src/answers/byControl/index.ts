export { Progress } from "./Progress";
export { ControlsPlot } from "./ControlsPlot";
export { ControlsRemarks, ControlsTable } from "./ControlsTable";
