import { expect, test } from "vitest";
import { quota } from "../../../../../src/cli/config/env/quota-field.ts";
import { displayedPace, givenPace, sayGivenPace } from "../../../../../src/cli/wiring/quota/given-pace.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const CLOSE = "the counting method of the service is unknown; at this even rate no window of 1s holds more than";
const FEWER =
  "the counting method of the service is unknown: Weir sends one request less than a window allows, which every counting method accepts";
const HALF =
  "the counting method of the service is unknown: Weir sends one request in two windows, because two requests that leave a window apart may arrive in one window";
const MOST =
  "one process sends at most about 850 requests a second; each process that shares the quota (TOPIC_CONTROL) sends as many";
const longer = (quota: string) => `; a quota of ${quota} gives more, if the service counts so`;

test.each([
  ["1/1s", 1 / 1.02, `${CLOSE} 1 requests; after a 429 the rate is 0.5 a second until 2000 requests had none`],
  ["10/1s", 10 / 1.02, `${CLOSE} 10 requests; after a 429 the rate is 9 a second until 2000 requests had none`],
  ["50/1s", 49, FEWER],
  ["100000/1d", 99_999 / 86_400, FEWER],
  ["10/1min", 9 / 60, FEWER],
  ["5/1min", 4 / 60, `${FEWER}${longer("50/10min")}`],
  ["9/36d", 8 / 3_110_400, `${FEWER}${longer("90/360d")}`],
  ["9/50d", 8 / 4_320_000, FEWER],
  ["1/1min", 1 / 120, `${HALF}${longer("10/10min")}`],
  ["400/1s", 399, FEWER],
  ["1000/1s", 850, MOST],
  ["10000/10s", 850, MOST],
])("a quota of %s gives %d a second, with the reason for the lower rate", (text, perSecond, reason) => {
  const pace = givenPace(quota.parse(text));

  expect(pace.perSecond).toBeCloseTo(perSecond, 9);
  expect(pace.reason).toBe(reason);
});

test.each([
  [49, "49 a second"],
  [0.9803, "0.98 a second"],
  [0.1, "0.1 a second"],
  [0.09, "5.4 a minute"],
  [1 / 120, "0.5 a minute"],
  [1 / 7_200, "0.5 an hour"],
])("%d a second is shown as %s", (perSecond, told) => {
  expect(displayedPace(perSecond)).toBe(told);
});

test("the rate is logged at the start, once", () => {
  const log = new FakeLog();
  sayGivenPace(quota.parse("1/1min"), log);

  expect(log.lines).toEqual([
    {
      level: "info",
      message: "SERVICE_QUOTA of 1/1min gives 0.5 a minute to a process that does not share the quota",
      fields: { requestsPerSecond: 0.00833, reason: `${HALF}${longer("10/10min")}` },
    },
  ]);
});
