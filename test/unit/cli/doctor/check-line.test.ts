import { expect, test } from "vitest";
import { checkLine } from "../../../../src/cli/doctor/check-line.ts";

test.each([
  [true, "all is well", "", "ok    broker a:1  all is well"],
  [true, "", "", "ok    broker a:1"],
  ["warn", "so so", "do this", "warn  broker a:1  so so  -> do this"],
  [false, "broken", "do that", "FAIL  broker a:1  broken  -> do that"],
] as const)("a check that is %s", (ok, detail, remedy, line) => {
  expect(checkLine({ check: "broker a:1", ok, detail, remedy })).toBe(line);
});
