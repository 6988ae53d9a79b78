export { ScenarioPanel } from "./ScenarioPanel";
