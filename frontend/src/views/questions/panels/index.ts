export { LiveNumber } from "./LiveNumber";
export { QuestionList } from "./QuestionList";
export { Unanswered } from "./Unanswered";
