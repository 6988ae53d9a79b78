import { describe, expect, it } from "vitest";

import { DEFAULT_VIEW } from "./view";
import { isMixed, runWords, simulators } from "./mixed";

const long = { kind: "long_lived", flows: 4 };
const mixed = { traffic: [{ ...long, as: "fluid" }, { kind: "poisson" }] };

describe("scenarios of fluid and packets", () => {
  it("has some entries of each", () => {
    expect(isMixed(mixed)).toBe(true);
    expect(isMixed({ traffic: [{ ...long, as: "fluid" }] })).toBe(false);
    expect(isMixed({ traffic: [long] })).toBe(false);
    expect(isMixed(undefined)).toBe(false);
  });

  it("asks the engine hybrid only where it has something to couple and is shown", () => {
    expect(simulators(["theory", "hybrid", "packet"], mixed)).toEqual(["hybrid", "packet"]);
    expect(simulators(["hybrid"], mixed)).toEqual(["hybrid"]);
    expect(simulators(["theory"], mixed)).toEqual(["packet"]);
    expect(simulators(["hybrid"], { traffic: [long] })).toEqual(["packet"]);
  });

  it("asks hybrid beside packets where nobody has chosen, and the button says what it runs", () => {
    expect(runWords(simulators(DEFAULT_VIEW.engines, mixed))).toBe("Run hybrid and packets");
    expect(runWords(simulators(DEFAULT_VIEW.engines, { traffic: [long] }))).toBe("Run packets");
    expect(runWords(simulators(["theory", "hybrid"], mixed))).toBe("Run hybrid");
  });
});
