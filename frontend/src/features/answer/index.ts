export { AnswerPanel } from "./AnswerPanel";
