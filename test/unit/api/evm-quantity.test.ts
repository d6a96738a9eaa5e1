import { expect, test } from "vitest";
import { z } from "zod";
import { plainWords } from "../../../src/api/requests/plain-words.ts";
import { evmFields } from "../../../src/api/schemas/evm-transaction.ts";
import { parseExact } from "../../../src/kernel/json.ts";

const schema = z.object({ value: evmFields.value });
const faultOf = (value: string) =>
  schema.safeParse(parseExact(`{"value":${value}}`), { error: plainWords }).error?.issues[0]?.message;

test.each(["1e21", "1e+21", '"1e21"', "1.5E22"])("the amount %s must be written without its exponent", (value) => {
  expect(faultOf(value)).toBe("must be written in full, without an exponent: as text of decimal digits");
});

test.each(["1.5", '"x"', "-1", "1e-7"])("the amount %s is no whole number", (value) => {
  expect(faultOf(value)).toMatch(/^must be (?:a whole number, decimal or 0x and hex digits|a decimal integer)$/);
});

test.each(["1000000000000000000000", '"0x10"', "7"])("the amount %s is read", (value) => {
  expect(faultOf(value)).toBeUndefined();
});
