import { expect, test } from "vitest";
import { fieldsWritten, readOf, slotOf } from "../../../../src/evm-analysis/findings/slot.ts";
import { createPool } from "../../../../src/evm-analysis/machine/expr.ts";
import { binary, condition, isZero } from "../../../../src/evm-analysis/machine/simplify.ts";

const pool = createPool();
const number = (value: bigint) => pool.constant(value);
const slot = (value: bigint) => pool.make("SLOAD", [number(value)]);
const caller = pool.make("CALLER");
const ADDRESS = (1n << 160n) - 1n;

test("an address is one expression, masked or not", () => {
  expect(binary(pool, "AND", number(ADDRESS), caller)).toBe(caller);
  expect(binary(pool, "EQ", caller, binary(pool, "AND", caller, number(ADDRESS)))).toBe(number(1n));
});

test.each([
  ["DIV by a power of 256", binary(pool, "DIV", slot(5n), number(1n << 160n))],
  ["SHR", binary(pool, "SHR", number(160n), slot(5n))],
])("a packed flag is a field in every way of extracting it: %s", (_name, shifted) => {
  const flag = binary(pool, "AND", number(0xffn), shifted);

  expect(readOf(flag)).toEqual({ name: "0x5", keys: [], shift: 160, width: 8 });
});

test("a hundred hundredths of an amount are the amount, ninety are not", () => {
  const part = (percent: bigint) => binary(pool, "DIV", binary(pool, "MUL", caller, number(percent)), number(100n));

  expect(part(100n)).toBe(caller);
  expect(part(90n)).not.toBe(caller);
});

test("a second write to a word changes the bits that the first did not change", () => {
  const key = number(5n);
  const without = (at: bigint, word: ReturnType<typeof number>) =>
    binary(pool, "AND", number(((1n << 256n) - 1n) ^ (0xffn << at)), word);
  const first = binary(pool, "OR", number(1n << 160n), without(160n, slot(5n)));
  const second = binary(pool, "OR", number(1n << 168n), without(168n, first));

  expect(fieldsWritten(key, second, first)).toEqual([{ name: "0x5", keys: [], shift: 168, width: 8 }]);
});

test("the neighbour of a written field is unchanged, and the field has the written value", () => {
  const mask = ((1n << 256n) - 1n) ^ (0xffn << 160n);
  const word = binary(pool, "OR", number(1n << 160n), binary(pool, "AND", number(mask), slot(5n)));
  const cut = (at: bigint) => binary(pool, "AND", number(0xffn), binary(pool, "SHR", number(at), word));

  expect(readOf(cut(168n))).toEqual({ name: "0x5", keys: [], shift: 168, width: 8 });
  expect(cut(160n)).toBe(number(1n));
  expect(readOf(binary(pool, "AND", number(ADDRESS), word))).toEqual({ name: "0x5", keys: [], shift: 0, width: 160 });
});

test("adding the complement of a number subtracts the number", () => {
  const less = binary(pool, "ADD", caller, number(-9n));

  expect(condition(pool, less, false)).toEqual([binary(pool, "EQ", number(9n), caller), true]);
  expect(isZero(pool, less)).toBe(binary(pool, "EQ", number(9n), caller));
  expect(binary(pool, "LT", caller, less)).toBe(binary(pool, "LT", caller, number(9n)));
});

test("a write of one field of a word keeps the others", () => {
  const key = number(5n);
  const kept = binary(pool, "AND", number(((1n << 256n) - 1n) ^ (0xffn << 160n)), slot(5n));
  const value = binary(pool, "OR", number(1n << 160n), kept);

  expect(fieldsWritten(key, value)).toEqual([{ name: "0x5", keys: [], shift: 160, width: 8 }]);
  expect(fieldsWritten(key, caller)).toEqual([{ name: "0x5", keys: [], shift: 0, width: 256 }]);
});

test("elements of mappings have one name in Solidity's order of hashing and in Vyper's", () => {
  const solidity = pool.make("KECCAK", [caller, number(3n)]);
  const vyper = pool.make("KECCAK", [number(3n), caller]);
  const nested = pool.make("KECCAK", [pool.make("ARG"), solidity]);

  expect(slotOf(solidity)).toEqual({ name: "0x3[]", keys: [caller] });
  expect(slotOf(vyper)).toEqual({ name: "0x3[]", keys: [caller] });
  expect(slotOf(nested)).toEqual({ name: "0x3[][]", keys: [caller, pool.make("ARG")] });
  expect(slotOf(binary(pool, "ADD", solidity, number(2n))).name).toBe("0x3[].2");
});

test("a condition loses its negations", () => {
  const equal = binary(pool, "EQ", caller, slot(0n));

  expect(condition(pool, isZero(pool, equal), true)).toEqual([equal, false]);
  expect(condition(pool, binary(pool, "SUB", caller, slot(0n)), true)).toEqual([equal, false]);
  expect(isZero(pool, isZero(pool, equal))).toBe(equal);
});

test("distances from one pointer cancel", () => {
  const pointer = pool.make("MLOAD", [number(0x40n)]);
  const end = binary(pool, "ADD", number(0x44n), pointer);

  expect(binary(pool, "SUB", end, pointer)).toBe(number(0x44n));
  expect(binary(pool, "ADD", end, number(0x20n))).toBe(binary(pool, "ADD", pointer, number(0x64n)));
});
