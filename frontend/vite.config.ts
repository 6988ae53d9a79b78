import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const api = process.env.FOOTROOM_API ?? "http://127.0.0.1:8000";

/** Has the page's head fetch the plotting library, whose name carries a hash, before any script asks for it. */
const preloadPlotly: Plugin = {
  name: "preload-plotly",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.includes("plotly"))
        .map((file) => ({ tag: "link", attrs: { rel: "modulepreload", href: `/${file}`, crossorigin: true }, injectTo: "head" as const })),
  },
};

export default defineConfig({
  plugins: [react(), preloadPlotly],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  server: { port: 5173, proxy: { "/api": api } },
  build: {
    // Plotly is one large file by nature; it is loaded only when a plot is drawn.
    chunkSizeWarningLimit: 1600,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
  },
});
