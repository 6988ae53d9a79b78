export { Assumptions } from "./Assumptions";
export { CaseTable } from "./CaseTable";
export { EngineErrors } from "./EngineErrors";
export { FigureCard } from "./FigureCard";
export { PaperList } from "./PaperList";
export { RunBar } from "./RunBar";
export { TargetTable } from "./TargetTable";
