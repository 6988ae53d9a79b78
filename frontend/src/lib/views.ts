/** The views of the page: where each is and what it is called. */

export type ViewInfo = {
  id: string;
  path: string;
  title: string;
  /** In the header; other views are reached from a question. */
  listed: boolean;
};

export const VIEWS = [
  { id: "questions", path: "/", title: "Questions", listed: true },
  { id: "buffer", path: "/buffer", title: "Buffer", listed: true },
  { id: "headroom", path: "/headroom", title: "Headroom", listed: true },
  { id: "sharing", path: "/sharing", title: "Sharing", listed: true },
  { id: "stability", path: "/stability", title: "Stability", listed: true },
  { id: "ecn", path: "/ecn", title: "ECN", listed: true },
  { id: "papers", path: "/papers", title: "Papers", listed: true },
  { id: "voq", path: "/voq", title: "VOQ", listed: true },
] as const satisfies ViewInfo[];

export type ViewId = (typeof VIEWS)[number]["id"];

export const pathOf = (id: ViewId): string => VIEWS.find((view) => view.id === id)?.path ?? "/";
