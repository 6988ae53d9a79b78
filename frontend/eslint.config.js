import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";

// Each folder of src from the lowest to the highest; it may import from itself and from what stands below it.
// The types generated from the API's schema stand below all of them.
const order = ["lib", "api", "form", "plot", "ui", "state", "features", "answers", "views", "shell", "App"];
// Neighbours that stand beside one another rather than above.
const apart = {
  form: ["api"],
  plot: ["api", "form"],
  ui: ["api"],
  state: ["form", "plot", "ui"],
  shell: ["features", "answers", "views"],
};
const layers = Object.fromEntries(
  order.slice(0, -1).map((folder, i) => [folder, [...(apart[folder] ?? []), ...order.slice(i + 1)]]),
);

const layerRules = Object.entries(layers).map(([folder, above]) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: folder === "lib" ? [{ name: "react", message: "src/lib works without React." }] : [],
        patterns: [
          {
            regex: `^@/(?!api/schema\\.gen$)(${above.join("|")})(/|$)`,
            message: `src/${folder} stands below; see the layers in eslint.config.js.`,
          },
          { regex: "^\\.\\./\\.\\.", message: "Use @/ for another folder." },
          // One feature reaches another neither by @/features/x nor by ../x: inside a feature, ./ is enough.
          ...(["features", "views"].includes(folder)
            ? [{ regex: `^(@/${folder}/|\\.\\./)`, message: `${folder} never import one another.` }]
            : []),
        ],
      },
    ],
  },
}));

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
);
