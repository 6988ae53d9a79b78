import { describe, expect, it } from "vitest";

import { VIEWS } from "@/lib/views";

const folders = Object.keys(import.meta.glob("../views/*/index.tsx")).map((file) => file.split("/")[2]);

describe("the list of views", () => {
  it("names each folder of src/views once, besides that of one question", () => {
    expect(folders.toSorted()).toEqual(["question", ...VIEWS.map(({ id }) => id)].toSorted());
  });

  it("gives each view an address of its own", () => {
    expect(new Set(VIEWS.map(({ path }) => path)).size).toBe(VIEWS.length);
  });
});
