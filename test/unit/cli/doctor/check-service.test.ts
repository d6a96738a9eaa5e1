import { expect, test } from "vitest";
import { compareClocks } from "../../../../src/cli/doctor/check-service.ts";

test.each([
  [0, true, "agrees with the service's"],
  [400, true, "agrees with the service's"],
  [5_000, true, "5 s ahead of the service's"],
  [-5_000, true, "5 s behind the service's"],
  [5_001, "warn", "5 s ahead of the service's"],
  [-90_000, "warn", "90 s behind the service's"],
] as const)("a clock that is %s ms ahead: %s, %s", (aheadMs, ok, detail) => {
  expect(compareClocks(aheadMs)).toMatchObject({ check: "clock", ok, detail });
});
