export { AnswerPanel } from "./AnswerPanel";
export { Notes } from "./Notes";
export { Objectives } from "./Objectives";
