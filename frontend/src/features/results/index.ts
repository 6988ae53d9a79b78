export { Charts, type ChartsInput } from "./Charts";
export { EngineToggles } from "./EngineToggles";
export { OutOfRange } from "./OutOfRange";
export { RunControls } from "./RunControls";
export { RunOnce } from "./RunOnce";
export { RunStatus } from "./RunStatus";
export { SweepRange } from "./SweepRange";
export { default as barClasses } from "./results.module.css";
