import { expect, test } from "vitest";

import { headroomFigure } from "./picture";
import type { HeadroomAnswer, SchemeAnswer } from "@/api/headroom";
import { palettes } from "@/lib/palette";
import { part } from "@/test/part";

const line = (kind: string, bytes: number) => ({ name: kind, bytes, formula: "", source: "", part: kind });

const answer = part<HeadroomAnswer>({
  inputs: part<HeadroomAnswer["inputs"]>({ speed: 1e11, cable: 300 }),
  schemes: {
    sih: part<SchemeAnswer>({
      title: "SIH",
      outside: "",
      headroom: 300,
      lines: [line("frames", 100), line("cable", 150), line("frames", 50)],
    }),
    ieee: part<SchemeAnswer>({ title: "IEEE", headroom: 400, outside: "", lines: [line("cable", 400)] }),
  },
  configured: part<NonNullable<HeadroomAnswer["configured"]>>({ bytes: 500 }),
});

test("the picture has every scheme's bytes by part, its total, and what was configured", () => {
  const { data, layout } = headroomFigure(answer, palettes.light, (name) => `colour of ${name}`);
  expect(data.map((one) => ("name" in one ? [one.name, "x" in one ? one.x : []] : []))).toEqual([
    ["Frames", [150, 0]],
    ["Cable", [150, 400]],
  ]);
  expect(layout.annotations?.map(({ text }) => text)).toEqual(["300 B", "400 B", "configured 500 B"]);
  expect(layout.shapes).toHaveLength(1);
});
