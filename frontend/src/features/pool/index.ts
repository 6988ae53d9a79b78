export { Details } from "./Details";
export { Fit } from "./Fit";
export { Sharing } from "./Sharing";
