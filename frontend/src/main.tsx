import "@mantine/core/styles.css";
import "@/styles.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "@/App";
import { loadPlotly } from "@/plot/load";

// The largest file is fetched and read at once: drawn curves wait for it, everything else does not.
void loadPlotly();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
