export { Headroom } from "./Headroom";
export { Locked } from "./Locked";
export { Rates } from "./Rates";
export { Spread } from "./Spread";
export { Topology } from "./Topology";
