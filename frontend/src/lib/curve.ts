/** One line of a small plot. */
export type Sample = { x: number; y: number; low?: number | undefined; high?: number | undefined };
export type Curve = {
  name: string;
  engine: string;
  samples: readonly Sample[];
  colour?: "current" | "pinned" | "other";
  /** Instead of the engine's, where one engine has several lines. */ dash?: string;
};
