import { expect, test } from "vitest";
import { quota } from "../../../../../src/cli/config/env/quota-field.ts";
import { displayedPace, givenPace, sayGivenPace } from "../../../../../src/cli/wiring/quota/given-pace.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const CLOSE = "nobody knows how the service counts, and so evenly no window of 1s holds more than";
const FEWER =
  "nobody knows how the service counts: one request fewer than a window holds, which no way of counting refuses";
const HALF =
  "nobody knows how the service counts: one request in two windows, since two that leave a window apart may reach the service in one";
const MOST =
  "one process sends no more than some 850 requests a second: several that share the quota (TOPIC_CONTROL) send as many each";
const longer = (quota: string) => `; of ${quota} more would be used, if that is what the service counts`;

test.each([
  ["1/1s", 1 / 1.02, `${CLOSE} 1; from a 429 on it is 0.5 a second, until 2000 requests had none`],
  ["10/1s", 10 / 1.02, `${CLOSE} 10; from a 429 on it is 9 a second, until 2000 requests had none`],
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
])("a quota of %s is used at %d a second, with the reason for the lower rate", (text, perSecond, reason) => {
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
      message: "SERVICE_QUOTA of 1/1min is used at 0.5 a minute by a process that has it for itself",
      fields: { requestsPerSecond: 0.00833, reason: `${HALF}${longer("10/10min")}` },
    },
  ]);
});
