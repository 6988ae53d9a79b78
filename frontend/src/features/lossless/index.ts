export { EcnRun } from "./EcnRun";
export { PauseTable } from "./PauseTable";
