import { readdirSync } from "node:fs";

import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";

// Each folder of src from the lowest to the highest; it may import from itself and from what stands below it. The types
// and forms in `contract` are generated from the API's schema.
const order = ["contract", "lib", "api", "form", "plot", "ui", "state", "features", "answers", "views", "shell", "App"];
// Neighbours that stand beside one another rather than above.
const apart = {
  form: ["api"],
  plot: ["api", "form"],
  ui: ["api"],
  state: ["form", "plot", "ui"],
  shell: ["features", "answers", "views"],
};
const above = (folder) => [...(apart[folder] ?? []), ...order.slice(order.indexOf(folder) + 1)];

/** What files of one folder may not import: `forbidden` are expressions of what stands above or beside it. */
const imports = (files, folder, forbidden) => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: folder === "lib" ? [{ name: "react", message: "This works without React." }] : [],
        patterns: [
          ...forbidden.map((regex) => ({ regex, message: "See the layers in eslint.config.js." })),
          { regex: "^\\.\\./\\.\\.", message: "Use @/ for another folder." },
        ],
      },
    ],
  },
});
const upward = (folder) => `^@/(${above(folder).join("|")})(/|$)`;

const layerRules = order.slice(0, -1).map((folder) =>
  imports([`src/${folder}/**/*.{ts,tsx}`], folder, [
    upward(folder),
    // One feature reaches another neither by @/features/x nor by ../x: inside a feature, ./ is enough.
    ...(folder === "features" ? ["^(@/features/|\\.\\./)"] : []),
  ]),
);

// A view is a folder of its own, which no other view sees. Its parts are ordered as the folders of those names are.
const views = readdirSync(`${import.meta.dirname}/src/views`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const parts = ["lib", "api", "state"];
const viewRules = views.flatMap((view) => {
  const others = `^(@/views/(?!${view}/)|\\.\\./)`;
  return [
    imports([`src/views/${view}/**/*.{ts,tsx}`], "views", [upward("views"), others]),
    ...parts.map((part, i) =>
      imports([`src/views/${view}/${part}.ts`, `src/views/${view}/${part}/**/*.{ts,tsx}`], part, [
        `^@/(${above(part)
          .filter((folder) => folder !== "views")
          .join("|")})(/|$)`,
        `^@/views/${view}/(?!(${parts.slice(0, i + 1).join("|")})(/|$))`,
        others,
      ]),
    ),
  ];
});

export default defineConfig(
  { ignores: ["dist", "test-results", "playwright-report", "**/*.gen.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json", "./tsconfig.node.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-empty-function": ["error", { allow: ["arrowFunctions", "methods"] }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    ...reactHooks.configs.flat.recommended,
    languageOptions: { globals: globals.browser },
  },
  ...layerRules,
  ...viewRules,
);
