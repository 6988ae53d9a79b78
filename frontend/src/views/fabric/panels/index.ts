export { Headroom } from "./Headroom";
export { Rates } from "./Rates";
export { Spread } from "./Spread";
export { Topology } from "./Topology";
