import { expect, test } from "vitest";
import { createPool } from "../../../../src/evm-analysis/machine/expr.ts";
import { copyMemory, emptyMemory, isOutOfGas, load, store } from "../../../../src/evm-analysis/machine/memory.ts";
import { binary } from "../../../../src/evm-analysis/machine/simplify.ts";

const pool = createPool();
const number = (value: number | bigint) => pool.constant(BigInt(value));
const [one, two] = [number(1), number(2)];
const symbol = pool.make("ARG", [], 7n);
const away = (distance: number) => binary(pool, "ADD", symbol, number(distance));

test.each([
  ["near", number(0x40)],
  ["far", number(0x100000)],
  ["at a distance from what is not known", away(64)],
  ["before what is not known", away(-32)],
])("a word written %s is read back, also after a fork of the path", (_where, at) => {
  const memory = emptyMemory();
  store(memory, at, one);
  const other = copyMemory(memory);
  store(other, at, two);

  expect(load(pool, memory, at)).toBe(one);
  expect(load(pool, other, at)).toBe(two);
  store(memory, at, symbol);
  expect(load(pool, other, at)).toBe(two);
});

test("unwritten memory is zero, or unknown", () => {
  expect(load(pool, emptyMemory(), number(0x60))).toBe(number(0));
  expect(load(pool, emptyMemory(), symbol)).toBe(pool.make("MLOAD", [symbol]));
});

test("a word between two written words is composed of both, in order", () => {
  const memory = emptyMemory();
  store(memory, number(0x60), two);
  store(memory, number(0x40), one);

  expect(load(pool, memory, number(0x44))).toBe(pool.make("JOIN", [one, two], 36n));
});

test("a later write before a word covers its beginning, and one behind it covers its end, which is not read", () => {
  const memory = emptyMemory();
  store(memory, number(0x44), one);
  store(memory, number(0x64), two);
  expect(load(pool, memory, number(0x44))).toBe(one);
  store(memory, number(0x30), two);

  expect(load(pool, memory, number(0x44))).toBe(pool.make("JOIN", [two, one], 52n));
});

test.each([
  ["a word far away", number(1n << 32n), one, true],
  ["very many bytes", number(0), number(1n << 32n), true],
  ["no bytes far away", number(1n << 32n), number(0), false],
  ["much, as returned texts may be", number(0), number(1 << 20), false],
  ["what is not known", symbol, symbol, false],
  ["perhaps nothing, far away", number(1n << 32n), symbol, false],
  ["more than one chain's blocks have gas for", number(1n << 27n), number(1n), false],
])("%s certainly runs out of gas", (_what, at, size, is) => {
  expect(isOutOfGas(at, size)).toBe(is);
});
