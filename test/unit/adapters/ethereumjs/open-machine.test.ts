import { expect, test } from "vitest";
import { openMachine } from "../../../../src/adapters/ethereumjs/open-machine.ts";
import { parseHex } from "../../../../src/evm-analysis/machine/code.ts";

const codeOf = (hex: string) => parseHex(hex) ?? new Uint8Array();
const call = { from: 1n, data: new Uint8Array(4), traced: true };
const plain = { from: 1n, data: new Uint8Array(4) };

test("a written value is read, reported, and undone", async () => {
  // Returns the word at slot 5.
  const machine = await openMachine(codeOf("60055460005260206000f3"), 100_000n);
  const inside = await machine.apart(async () => {
    await machine.write(5n, 77n);
    return machine.call(call);
  });

  expect(inside).toEqual({ ok: true, word: 77n, reads: [5n] });
  expect(await machine.call(call)).toEqual({ ok: true, word: 0n, reads: [5n] });
  expect(await machine.call(plain)).toEqual({ ok: true, word: 0n, reads: [] });
});

test.each([
  ["jumps for ever", "5b600056"],
  ["returns more than gas pays for", "63ffffffff6000f3"],
  ["asks for memory without end", "5b5980526000565b"],
  ["calls itself", "600060006000600060003061ffff5af1600056"],
  ["is no code", "fe"],
])("code that %s fails, and the caller goes on", async (_name, hex) => {
  const machine = await openMachine(codeOf(hex), 100_000n);

  expect(await machine.call(plain)).toEqual({ ok: false, word: undefined, reads: [] });
});

test("a caller without code gets an empty answer", async () => {
  const machine = await openMachine(new Uint8Array(), 100_000n);

  expect(await machine.call(call)).toEqual({ ok: true, word: undefined, reads: [] });
});

test("code that requests a blob proof runs without one", async () => {
  // STATICCALL of the precompile at 10 without input; returns whether the call succeeded.
  const machine = await openMachine(codeOf("6000600060006000600a617ffffa60005260206000f3"), 100_000n);

  expect(await machine.call(plain)).toEqual({ ok: true, word: 0n, reads: [] });
});
