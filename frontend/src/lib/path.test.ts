import { expect, test } from "vitest";

import { canonical, flatten, getPath, setPath, unflatten, type Json, withoutPath } from "@/lib/path";

const document: Json = { a: { b: 1 }, list: [{ c: "x" }, { c: null }], empty: [], none: {} };

test("reads and replaces without touching the original", () => {
  expect(getPath(document, "list.1.c")).toBeNull();
  expect(getPath(document, "a.z.y")).toBeUndefined();
  const changed = setPath(document, "list.0.c", "y");
  expect(getPath(changed, "list.0.c")).toBe("y");
  expect(getPath(document, "list.0.c")).toBe("x");
});

test("makes what is missing and removes what is undefined", () => {
  expect(setPath({}, "run.seed", 3)).toEqual({ run: { seed: 3 } });
  expect(setPath({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
  expect(setPath([1, 2, 3], "1", undefined)).toEqual([1, 3]);
});

test("flatten and unflatten undo each other, empty containers included", () => {
  expect(unflatten(flatten(document))).toEqual(document);
});

test("the order of keys makes no difference to the canonical text", () => {
  expect(canonical({ a: 1, b: { c: 2, d: 3 } })).toBe(canonical({ b: { d: 3, c: 2 }, a: 1 }));
});

test("removing a value removes the objects that it leaves empty, and no others", () => {
  expect(withoutPath({ a: { b: { c: 1 } }, d: 2 }, "a.b.c")).toEqual({ d: 2 });
  expect(withoutPath({ a: { b: 1, c: 2 } }, "a.b")).toEqual({ a: { c: 2 } });
  expect(withoutPath({ a: 1, e: {} }, "a")).toEqual({ e: {} });
});
