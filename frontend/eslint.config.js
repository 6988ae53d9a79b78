import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";

// Each folder of src, with the folders it may not import from: lib <- api, form, plot <- state <- features <- App.
const layers = {
  lib: ["api", "form", "plot", "state", "features", "App"],
  api: ["form", "plot", "state", "features", "App"],
  form: ["api", "plot", "state", "features", "App"],
  plot: ["api", "form", "state", "features", "App"],
  state: ["form", "plot", "features", "App"],
  features: ["App"],
};

const layerRules = Object.entries(layers).map(([folder, above]) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: folder === "lib" ? [{ name: "react", message: "src/lib works without React." }] : [],
        patterns: [
          {
            regex: `^@/(${above.join("|")})(/|$)`,
            message: `src/${folder} stands below; see the layers in eslint.config.js.`,
          },
          { regex: "^\\.\\./\\.\\.", message: "Use @/ for another folder." },
          // One feature reaches another neither by @/features/x nor by ../x: inside a feature, ./ is enough.
          ...(folder === "features"
            ? [{ regex: "^(@/features/|\\.\\./)", message: "Features never import one another." }]
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
