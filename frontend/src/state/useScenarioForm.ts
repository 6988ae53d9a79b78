import { useQuery } from "@tanstack/react-query";

import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";

const NONE: never[] = [];

/**
 * What the form of a packet run needs beside its scenario: the catalogue, the presets that packets can run, and the
 * scenario of the preset chosen.
 */
export function useScenarioForm(chosen: string, needed = true) {
  const catalog = useQuery(catalogQuery);
  const presets = useQuery(presetsQuery);
  const preset = useQuery({ ...presetQuery(chosen), enabled: needed });
  return {
    axes: catalog.data?.axes,
    schema: catalog.data?.scenario,
    presets: presets.data?.filter(({ engines }) => engines.includes("packet")) ?? NONE,
    examples: preset.data?.scenario,
    /** Why there is no such preset, as the server says it. */
    refused: preset.error instanceof ApiProblem ? preset.error : undefined,
    /** What the server refused of a run that ended in `error`, and whether it can be reached at all. */
    problemsOf: (error: unknown) => ({
      problems: error instanceof ApiProblem ? error.errors : NONE,
      offline: [catalog.error, presets.error, error].some((one) => one instanceof Unreachable),
    }),
  };
}
