import { expect, test } from "vitest";

import { documentCodec, documentCodecOf, ignoredFields } from "@/lib/document";
import { formOf } from "@/lib/forms";

test("a document survives the way through a query string", () => {
  const document = {
    speed: "400 Gb/s",
    lanes: 8,
    name: "8",
    pool: { pools: "a=1+2, b=3", marking: { kmin: 0 } },
    page: { section: "pool" },
  };
  expect(documentCodec.decode(documentCodec.encode(document))).toEqual(document);
});

test("an empty query stands for what the view opens with", () => {
  const codec = documentCodecOf({ speed: "1G", cable: "5 m" });
  expect(codec.decode("")).toEqual({ speed: "1G", cable: "5 m" });
  expect(codec.encode({ cable: "5 m", speed: "1G" })).toBe("");
  expect(codec.decode(codec.encode({ speed: "2G" }))).toEqual({ speed: "2G" });
});

test("a form is found by its operation, wherever its schema stands", () => {
  const forms = {
    forms: { ask: { $ref: "#/components/schemas/Question" } },
    components: { schemas: { Question: { properties: { rate: { unit: "bit/s" } } } } },
  };
  expect(formOf(forms, "ask")).toEqual({ properties: { rate: { unit: "bit/s" } } });
  expect(() => formOf(forms, "other")).toThrow("no form for other");
});

test("a link may change single fields, and says what of it is no field", () => {
  const codec = documentCodecOf({ speed: "1G", cable: "5 m" }, ["speed", "cable", "pool"]);
  expect(codec.decode("set=cable:40m&set=pool.ports:8")).toEqual({ speed: "1G", cable: "40m", pool: { ports: 8 } });
  expect(codec.decode("cable=7m&colour=red&set=colour:blue")).toEqual({ cable: "7m" });
  expect(ignoredFields("cable=7m&colour=red&set=colour:blue&set=cable", ["cable"])).toEqual([
    "colour (no such field)",
    "set=colour:blue (no such field)",
    "set=cable (such as topology.rtt:40ms)",
  ]);
});

test("words that choose what a view shows are checked, and so are the names below page", () => {
  const choices = { "page.mode": ["alone", "run"], "page.policy": undefined, tab: ["targets", "figures"] };
  const known = ["cable", "page", "tab"];
  expect(ignoredFields("page.mode=zzz&page.colour=red&tab=x&page.policy=1", known, choices)).toEqual([
    "page.mode=zzz (one of alone, run)",
    "page.colour (no such field)",
    "tab=x (one of targets, figures)",
  ]);
  expect(ignoredFields("page.mode=run&page.policy=3&tab=figures&cable=1m", known, choices)).toEqual([]);
});
