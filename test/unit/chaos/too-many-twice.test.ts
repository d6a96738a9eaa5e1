import { expect, test } from "vitest";
import { tooManyAnEvent, tooManyTwice } from "../../chaos/too-many-twice.ts";

const full = { events: 100_000, disturbances: 116, live: "live" };
const twice = (duplicates: number, ofWorst: number, { name = "live/3", verdicts = 5_000 } = {}) => ({
  duplicates,
  worstPartition: { name, duplicates: ofWorst, verdicts },
});

test("the recorded full runs are within the bounds", () => {
  // The worst partition was not recorded. Evenly spread, a partition has 1,798 duplicates.
  expect(tooManyTwice(twice(43_144, 1_798, { verdicts: 5_232 }), full)).toEqual([]);
  expect(tooManyTwice(twice(33_559, 2_742, { verdicts: 4_961 }), { ...full, disturbances: 108 })).toEqual([]);
  expect(tooManyTwice(twice(13_146, 1_480, { verdicts: 4_985 }), full)).toEqual([]);
});

test("over all verdicts 500 duplicates for each disturbance are allowed, and at most one for each event", () => {
  expect(tooManyTwice(twice(58_000, 0), full)).toEqual([]);
  expect(tooManyTwice(twice(58_001, 0), full)).toEqual(["58001 verdicts came twice, and 58000 may"]);
  const short = { ...full, events: 5_500, disturbances: 14 };
  expect(tooManyTwice(twice(5_500, 0), short)).toEqual([]);
  expect(tooManyTwice(twice(5_501, 0), short)).toEqual(["5501 verdicts came twice, and 5500 may"]);
});

test("one partition may have at most its number of verdicts, and a span of its lane for each disturbance", () => {
  expect(tooManyTwice(twice(5_000, 5_000), full)).toEqual([]);
  expect(tooManyTwice(twice(5_001, 5_001), full)).toEqual(["5001 verdicts came twice for live/3, and 5000 may"]);
  const three = { ...full, disturbances: 3 };
  const faultsOf = (name: string) => tooManyTwice(twice(1_500, 3_001, { name }), three);
  expect(faultsOf("live/3")).toEqual(["3001 verdicts came twice for live/3, and 3000 may"]);
  expect(faultsOf("bulk/3")).toEqual([]);
});

test("a run without disturbances has no duplicates", () => {
  expect(tooManyTwice(twice(0, 0), { ...full, disturbances: 0 })).toEqual([]);
  expect(tooManyTwice(twice(1, 1), { ...full, disturbances: 0 })).toEqual([
    "1 verdicts came twice, and 0 may",
    "1 verdicts came twice for live/3, and 0 may",
  ]);
});

test("a run that catches up with a backlog has its own limit for each disturbance", () => {
  expect(tooManyTwice(twice(3_500, 0), { ...full, disturbances: 1, each: 3_500 })).toEqual([]);
  expect(tooManyTwice(twice(3_501, 0), { ...full, disturbances: 1, each: 3_500 })).toEqual([
    "3501 verdicts came twice, and 3500 may",
  ]);
});

test("an event may have 1.05 verdicts, without copies", () => {
  expect(tooManyAnEvent({ verdicts: 108_000, duplicates: 3_000 }, 100_000)).toEqual([]);
  expect(tooManyAnEvent({ verdicts: 108_200, duplicates: 3_000 }, 100_000)).toEqual([
    "1.052 verdicts an event, and 1.05 may be",
  ]);
});
