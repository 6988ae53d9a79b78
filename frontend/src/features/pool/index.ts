export { Details } from "./Details";
export { Fit } from "./Fit";
export { Marking } from "./Marking";
export { markingFirst } from "./markingWords";
export { Pauses } from "./Pauses";
export { Shares } from "./Shares";
export { Sharing } from "./Sharing";
