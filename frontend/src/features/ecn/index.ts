export { Defaults } from "./Defaults";
export { TradeOff } from "./TradeOff";
export { Words } from "./Words";
