import { existsSync, readFileSync } from "node:fs";

import type { Plugin, Rolldown } from "vite";

import { VIEWS, type ViewId } from "./src/lib/views.ts";

/** What a view asks the API for before it shows anything, and whether it draws at once: `first.json` of its folder. */
function firstOf(id: ViewId): { data: string[]; plots?: boolean } {
  const file = `${import.meta.dirname}/src/views/${id}/first.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ReturnType<typeof firstOf>) : { data: [] };
}

/**
 * A document for each view, whose head fetches the view's code and first data at once: found out one after the other,
 * they would cost a round trip each. The server answers /buffer with buffer.html.
 */
export const perView: Plugin = {
  name: "per-view",
  enforce: "post",
  generateBundle(_, bundle) {
    const index = bundle["index.html"];
    if (index?.type !== "asset") return;
    const document = String(index.source);
    for (const { id, path } of VIEWS) {
      const { data, plots } = firstOf(id);
      const head = [...codeOf(id, bundle), ...(plots === true ? plotting(bundle) : []), ...data.map(preload)];
      const known = head.filter((tag) => !document.includes(/href="[^"]+"/.exec(tag)?.[0] ?? tag));
      const source = document.replace("</head>", `${known.map((tag) => `  ${tag}\n  `).join("")}</head>`);
      if (path === "/") index.source = source;
      else this.emitFile({ type: "asset", fileName: `${path.slice(1)}.html`, source });
    }
  },
};

/** The chunk of a view with all it imports, and their styles. */
function codeOf(id: ViewId, bundle: Rolldown.OutputBundle): string[] {
  const entry = Object.values(bundle).find(
    (item) => item.type === "chunk" && item.facadeModuleId?.endsWith(`/src/views/${id}/index.tsx`),
  );
  const seen = new Set<string>();
  const styles = new Set<string>();
  const visit = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || seen.has(file)) return;
    seen.add(file);
    chunk.viteMetadata?.importedCss.forEach((style) => styles.add(style));
    chunk.imports.forEach(visit);
  };
  if (entry !== undefined) visit(entry.fileName);
  return [
    // The entry is the document's own script.
    ...[...seen]
      .filter((file) => !isEntry(bundle[file]))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ];
}

const isEntry = (item: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined) =>
  item?.type === "chunk" && item.isEntry;

const plotting = (bundle: Rolldown.OutputBundle) =>
  Object.keys(bundle)
    .filter((file) => file.includes("plotly") && file.endsWith(".js"))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);

const preload = (path: string) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="/api/v1/${path}">`;
