import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { perView } from "./vite.views.ts";

const api = process.env.FOOTROOM_API ?? "http://127.0.0.1:8000";

/** Every browser that runs the page reads WOFF2: the same fonts in older formats stay out of the build. */
const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform: (code, id) =>
    /katex[^/]*\.css$/.test(id) ? code.replaceAll(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, "") : undefined,
};

export default defineConfig({
  plugins: [react(), onlyWoff2, perView],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  server: { port: 5173, proxy: { "/api": api } },
  build: {
    // The page, and the reference of the API, which answers at /api/v1/docs.
    rolldownOptions: { input: ["index.html", "api-reference.html"] },
    // Plotly is one large file by nature; it is loaded only when a plot is drawn.
    chunkSizeWarningLimit: 1600,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    // One environment for all files of a worker: to make one for each took half of the time.
    isolate: false,
    // A busy machine takes its time to draw a whole page; that is no fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
