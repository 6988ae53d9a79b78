export { Export } from "./Export";
export { Import } from "./Import";
