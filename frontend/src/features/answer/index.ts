export { AnswerPanel } from "./AnswerPanel";
export { Objectives } from "./Objectives";
