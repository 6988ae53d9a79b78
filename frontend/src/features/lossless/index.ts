export { PauseTable } from "./PauseTable";
