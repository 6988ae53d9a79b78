import { expect, test } from "vitest";

import { finding as backbone } from "@/answers/Backbone";
import { finding as ecn } from "@/answers/EcnSpeeds";
import { alpha, waiting } from "@/answers/Emulated";
import { finding as distance } from "@/answers/LongHaul";
import { bursts, drops } from "@/answers/Packets";
import { finding as slack } from "@/answers/SlowPeer";
import type { EcnAnswer } from "@/api/ecn";
import type { HeadroomAnswer, SchemeAnswer } from "@/api/headroom";
import type { Axis } from "@/lib/component";
import type { Emulation } from "@/lib/emulation";
import { unbroken } from "@/lib/number";
import type { Solution } from "@/lib/solution";
import { catalog } from "@/test/api";
import { part } from "@/test/part";
import { point } from "@/test/points";

const at = (cable: number, lowest: number, highest: number, beyond = "") =>
  part<HeadroomAnswer>({
    inputs: part<HeadroomAnswer["inputs"]>({ speed: 400e9, cable }),
    schemes: {
      ieee: part<SchemeAnswer>({ title: "IEEE", headroom: lowest, outside: beyond }),
      vendor: part<SchemeAnswer>({ title: "Vendor's rule", headroom: highest, outside: beyond }),
    },
    range: part<HeadroomAnswer["range"]>({
      lowest: { scheme: "sih", headroom: lowest },
      highest: { scheme: "vendor", headroom: highest },
    }),
  });

test.each([
  [200e6, /^Yes: at/],
  [70e6, /^By some of the schemes only: at/],
  [50e6, /^No: at/],
  [undefined, /^At/],
])("whether PFC can run so far follows from the memory: %s B", (memory, words) => {
  const own = at(120e3, 60e6, 82e6);
  expect(distance(own, [at(2e3, 1e6, 1.5e6), own], "", memory).before).toMatch(words);
});

test("a distance is no yes where no scheme holds for the link", () => {
  const own = at(120e3, 60e6, 82e6, "limits are known to 800 Gb/s");
  const found = distance(own, [own], "", 200e6);
  expect(found.before).toMatch(/^At/);
  expect(found.outside).toBe("limits are known to 800 Gb/s");
});

type Row = Parameters<typeof ecn>[0][number];
const speed = (name: string, kmax: number | undefined): Row => ({
  speed: name,
  chip: "",
  pool: undefined,
  answer: part<EcnAnswer>({
    valid_from: 0,
    advice: kmax === undefined ? null : part<NonNullable<EcnAnswer["advice"]>>({ kmin: kmax / 20, kmax, pmax: 0.01 }),
  }),
});

test("speeds without thresholds that meet the targets are named, and one size is no range", () => {
  const found = ecn([speed("100 Gb/s", 137e3), speed("400 Gb/s", undefined), speed("800 Gb/s", undefined)]);
  expect(found?.value).toBe("137 kB");
  expect(found?.note).toBe("Kmax, at 100G");
  expect(found?.after).toMatch(/^at 100G\. .* No thresholds meet the targets at 400G and 800G\.$/);
  expect(ecn([speed("100 Gb/s", 1e5), speed("400 Gb/s", 2e5)])?.value).toBe("100–200 kB");
});

const arrivals = (bytes: number, rate: number, drain: number) => part<Emulation["arrivals"]>({ bytes, rate, drain });
const policy = (dropped: number, peak: number) =>
  part<Emulation["policies"][number]>({
    policy: part<Emulation["policies"][number]["policy"]>({ kind: "complete" }),
    dropped: { packets: dropped / 1500, bytes: dropped },
    peak_queue: peak,
    lossless: dropped === 0,
    drop_rate: dropped / 100e6,
  });
const sharing = catalog.axes.find(({ axis }) => axis === "sharing") as unknown as Axis;
const smallest = (fields: Partial<NonNullable<Emulation["smallest_alpha"]>>) =>
  part<NonNullable<Emulation["smallest_alpha"]>>(fields);

test("policies that lose are named by their titles", () => {
  const lost = { ...policy(3e6, 1e6), kind: "dynamic_threshold", label: "dynamic_threshold alpha=2" };
  const fields = { emulated: 0.087, dynamic_th: null, queue: null };
  const found = alpha(part<Emulation>({ policies: [lost], smallest_alpha: smallest(fields) }), sharing);
  expect(found.after).toContain("Dynamic threshold alpha=2 loses 3.00 %");
});

test("a burst larger than the memory needs more than the memory holds", () => {
  const found = waiting(
    part<Emulation>({
      arrivals: arrivals(100e6, 100e9, 25e9),
      policies: [policy(59e6, 16e6)],
      smallest_alpha: smallest({ emulated: null, queue: null }),
    }),
  );
  expect(found.value).toBe("75.0 MB");
  expect(found.verdict).toBe("bad");
  expect(found.after).toContain("75.0 % of the burst, but a queue reaches 16.0 MB at most here: at least 59.0 MB");
});

test("where nothing waits, no alpha is asked for", () => {
  const found = waiting(
    part<Emulation>({
      arrivals: arrivals(1e6, 10e9, 25e9),
      policies: [policy(0, 0)],
      smallest_alpha: smallest({ emulated: 2.4e-4, queue: 0 }),
    }),
  );
  expect(`${found.value} ${found.after}`).toBe("0 B must be buffered, 0 % of the burst.");
});

test("the sentence on alpha has no gap where the queue is not known", () => {
  const fields = { emulated: 0.087, dynamic_th: -3, queue: null };
  const found = alpha(part<Emulation>({ policies: [policy(0, 1e6)], smallest_alpha: smallest(fields) }), sharing);
  expect(found.after).toBe(
    "upwards nothing is lost. Set dynamic_th -3 (α = 0.125). " +
      "At its usual settings the policy below absorbs it without loss.",
  );
});

const solved = (buffer: number, skipped?: true): Solution => ({
  state: "solved",
  buffer,
  missed: buffer,
  binding: [],
  ...(skipped === undefined ? {} : { skipped }),
});
const target = [{ metric: "utilisation", op: ">=" as const, value: 0.99 }];

test("two models that agree give one size", () => {
  expect(backbone(target, solved(1.781e6), solved(1.779e6))?.value).toBe("1.78 MB");
  expect(backbone(target, solved(810e3), solved(753e3))?.value).toBe("753–810 kB");
});

test("a size below which the models do not hold is an upper bound", () => {
  const found = backbone(target, solved(15.1e6, true), solved(54.4e6, true));
  expect(found?.before).toMatch(/you need at most$/);
  expect(found?.after).toContain(
    "Smaller sizes are outside the validity of the closed form and the fluid model and may do as well.",
  );
});

test("schemes that judge a setting otherwise are named, and a limit that was entered is not the standard's", () => {
  type Judged = NonNullable<HeadroomAnswer["configured"]>["schemes"][string];
  type Scheme = HeadroomAnswer["schemes"][string];
  const judged = (enough: boolean) =>
    part<Judged>({
      enough,
      margin: enough ? 3e3 : -8e4,
      slack: 262e-9,
      reaction: { seconds: 3.5e-6, quanta: 685, bytes: 43840 },
    });
  const answer = (quanta: number | null, beyond = "") =>
    part<HeadroomAnswer>({
      configured: { bytes: 59696, schemes: { ieee: judged(true), vendor: judged(false) } },
      schemes: {
        ieee: part<Scheme>({
          title: "IEEE line by line",
          outside: beyond,
          parameters: [
            { name: "response_quanta", value: quanta, unit: "1", from: quanta === null ? "default" : "given" },
          ],
        }),
        vendor: part<Scheme>({ title: "Vendor's rule", outside: "" }),
      },
    });
  expect(slack(answer(null), "ieee")?.after).toMatch(
    /^later than the standard's limit\. .* By Vendor's rule it can drop\.$/,
  );
  expect(slack(answer(2000), "ieee")?.after).toMatch(/^later than the 2000 quanta entered\./);
  const unsure = slack(answer(null, "limits are known to 800 Gb/s"), "ieee");
  expect(unsure?.before).toMatch(/^Perhaps: by IEEE/);
  expect([unsure?.verdict, unsure?.outside]).toEqual([undefined, "limits are known to 800 Gb/s"]);
});

test("means whose intervals overlap are not told apart without saying so", () => {
  const run = (drop: number, qct: number, spread: number) =>
    point(
      "packet",
      1e6,
      { drop_rate: drop, qct_mean: qct, utilisation: 0.5 },
      {
        drop_rate: [drop - spread, drop + spread],
        qct_mean: [qct - spread, qct + spread],
      },
    ).result;
  expect(drops(1e6, 1e8, run(0.02, 0.005, 0.01), run(0, 0.011, 0.01))?.after).toMatch(
    /2\.2 times as fast, but their 95 % intervals overlap\.$/,
  );
  expect(drops(1e6, 1e8, run(0.02, 0.005, 0.001), run(0, 0.011, 0.001))?.after).toMatch(/2\.2 times as fast\.$/);
  expect(bursts(5e5, 4e6, run(0.03, 1, 0.01), run(0.012, 1, 0.01))?.after).toContain("whose 95 % intervals overlap)");
  expect(bursts(5e5, 4e6, run(0.03, 1, 0.001), run(0.012, 1, 0.001))?.after).not.toContain("overlap");
});

test("memories that do not differ as asked give no verdict", () => {
  const same = point("packet", 1e6, { drop_rate: 0.02, qct_mean: 0.005, utilisation: 0.5 }).result;
  const deep = drops(2e8, 1e8, same, same);
  expect([deep?.value, deep?.verdict]).toEqual(["No comparison", undefined]);
  expect(deep?.after).toBe(
    ": the shallow chip's 200 MB are not less than the deep chip's 100 MB. Enter a smaller memory under Shallow.",
  );
  for (const more of [1e5, 5e5]) {
    const found = bursts(5e5, more, same, same);
    expect([found?.value, found?.verdict]).toEqual(["No comparison", undefined]);
    expect(found?.after).toContain("are not more than the chip's 500 kB. Enter a larger memory under More.");
  }
});

test("no line ends between a number and its unit", () => {
  expect(unbroken("3.51 µs of 10.7 MB at α ≥ 0.049, 99 % of 40 senders")).toBe(
    "3.51\u00a0µs of 10.7\u00a0MB at α\u00a0≥\u00a00.049, 99\u00a0% of 40 senders",
  );
});
