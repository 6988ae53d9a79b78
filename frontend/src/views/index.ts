import { lazyRouteComponent } from "@tanstack/react-router";

/** Each view is fetched when it is first gone to, so that none waits for another's code. */
export const views = {
  question: lazyRouteComponent(() => import("@/views/question"), "QuestionView"),
  questions: lazyRouteComponent(() => import("@/views/questions"), "QuestionsView"),
  buffer: lazyRouteComponent(() => import("@/views/buffer"), "BufferView"),
  controls: lazyRouteComponent(() => import("@/views/controls"), "ControlsView"),
  compare: lazyRouteComponent(() => import("@/views/compare"), "CompareView"),
  headroom: lazyRouteComponent(() => import("@/views/headroom"), "HeadroomView"),
  sharing: lazyRouteComponent(() => import("@/views/sharing"), "SharingView"),
  fabric: lazyRouteComponent(() => import("@/views/fabric"), "FabricView"),
  stability: lazyRouteComponent(() => import("@/views/stability"), "StabilityView"),
  ecn: lazyRouteComponent(() => import("@/views/ecn"), "EcnView"),
  papers: lazyRouteComponent(() => import("@/views/papers"), "PapersView"),
  voq: lazyRouteComponent(() => import("@/views/voq"), "VoqView"),
  studies: lazyRouteComponent(() => import("@/views/studies"), "StudiesView"),
};
