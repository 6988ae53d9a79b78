/** The views of the page: where each is and what it is called. */

export type ViewInfo = {
  id: string;
  path: string;
  title: string;
};

export const VIEWS = [
  { id: "questions", path: "/", title: "Questions" },
  { id: "buffer", path: "/buffer", title: "Buffer" },
  { id: "controls", path: "/controls", title: "Controls" },
  { id: "compare", path: "/compare", title: "Compare" },
  { id: "headroom", path: "/headroom", title: "Headroom" },
  { id: "sharing", path: "/sharing", title: "Sharing" },
  { id: "fabric", path: "/fabric", title: "Fabric" },
  { id: "stability", path: "/stability", title: "Stability" },
  { id: "ecn", path: "/ecn", title: "ECN" },
  { id: "papers", path: "/papers", title: "Papers" },
  { id: "voq", path: "/voq", title: "VOQ" },
  { id: "studies", path: "/studies", title: "Studies" },
] as const satisfies ViewInfo[];

export type ViewId = (typeof VIEWS)[number]["id"];

export const pathOf = (id: ViewId): string => VIEWS.find((view) => view.id === id)?.path ?? "/";
