export { QueuePicker } from "./QueuePicker";
export { TimelinePlots } from "./TimelinePlots";
