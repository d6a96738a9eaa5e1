import { expect, test } from "vitest";
import { z } from "zod";
import { checkVariables } from "../../../../src/cli/config/check-variables.ts";
import { count, list } from "../../../../src/cli/config/env/fields.ts";

const schema = z.object({
  HOSTS: list.pipe(z.array(z.string().regex(/^[a-z]+$/, "must be a host")).min(1, "must name one")),
  KEY: z.string().optional(),
  COUNT: count(8),
});

test("each variable is reported separately, without its value", () => {
  const { checks, config, wrong } = checkVariables(schema, { HOSTS: "hunter2,b", KEY: "hunter2", COUNT: "" });

  expect(checks).toEqual([
    { check: "HOSTS", ok: false, detail: "entry 1: must be a host", remedy: "correct HOSTS, or unset it" },
    { check: "KEY", ok: true, detail: "is set", remedy: "" },
    { check: "COUNT", ok: true, detail: "default 8", remedy: "" },
  ]);
  expect(config).toEqual({ KEY: "hunter2", COUNT: 8 });
  expect(wrong).toEqual(["HOSTS"]);
});

test("a missing required variable is a fault, and a missing optional one is not", () => {
  expect(checkVariables(schema, { COUNT: "9" })).toEqual({
    checks: [
      { check: "HOSTS", ok: false, detail: "is missing", remedy: "set HOSTS" },
      { check: "KEY", ok: true, detail: "is not set", remedy: "" },
      { check: "COUNT", ok: true, detail: "is set", remedy: "" },
    ],
    config: { COUNT: 9 },
    wrong: ["HOSTS"],
  });
});
