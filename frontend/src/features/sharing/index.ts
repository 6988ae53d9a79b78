export { PolicyList } from "./PolicyList";
export { PolicyPlots } from "./PolicyPlots";
export { PolicyTable } from "./PolicyTable";
export { SharingAnswer } from "./SharingAnswer";
export { TraceFile } from "./TraceFile";
