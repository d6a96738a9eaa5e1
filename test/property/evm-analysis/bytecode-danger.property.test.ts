import fc from "fast-check";
import { expect, test } from "vitest";
import { openMachine } from "../../../src/adapters/ethereumjs/open-machine.ts";
import { readSignatures } from "../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode, type CodeAnalysis } from "../../../src/evm-analysis/analyse-code.ts";
import { selectors } from "../../../src/evm-analysis/contract.ts";
import { confirmed } from "../../../src/evm-analysis/findings/confirm.ts";
import { findingNames } from "../../../src/evm-analysis/findings/finding.ts";
import { codeLength, instructions, toHex } from "../../../src/evm-analysis/machine/code.ts";
import { readCorpus } from "../../corpus/corpus.ts";
import { expected } from "../../corpus/expected.ts";
import { landings, withFunction, withInserted } from "../../support/relocate-code.ts";

const analyse = (code: Uint8Array) => analyseCode(code, readSignatures, () => true);
const dangerous = readCorpus().filter(
  ({ contract, build }) => build.startsWith("solc-0.8.37") && (expected[contract] ?? []).length > 0,
);

/** A change that keeps the effects of the contract. */
type Change = (code: Uint8Array, random: readonly number[]) => Uint8Array;

const at = <T>(list: readonly T[], number: number | undefined): T | undefined => list[(number ?? 0) % list.length];

/** Other metadata, as long or longer. */
const otherMetadata: Change = (code, random) =>
  Uint8Array.from([...code.subarray(0, codeLength(code)), 0xfe, ...random]);

/**
 * Instructions that leave the stack unchanged: JUMPDEST, PUSH1 POP, CALLER POP, GAS POP, PUSH1 PUSH1 POP POP. The last
 * one hashes zero bytes far away (PUSH1, SLOAD of an unwritten slot, PUSH4, KECCAK256, POP).
 */
const idle = [
  [0x5b],
  [0x60, 0x2a, 0x50],
  [0x33, 0x50],
  [0x5a, 0x50],
  [0x60, 1, 0x60, 2, 0x50, 0x50],
  [0x60, 0xef, 0x54, 0x63, 0x7f, 0xff, 0xff, 0xff, 0x20, 0x50],
];

const junkOnTheWay: Change = (code, random) => {
  const places = new Set(random.slice(0, 12).map((number) => at(landings(code), number * 7) ?? 0));
  const insertions = [...places].map((before, number) => ({ before, bytes: at(idle, random[number]) ?? [] }));
  return withInserted(code, insertions);
};

const standard: ReadonlySet<string> = new Set(Object.values(selectors));

/**
 * Another selector for a function outside the standards. It lies between its neighbours, as dispatchers with binary
 * search need it.
 */
const renamed: Change = (code, random) => {
  const names = readSignatures(toHex(code))
    .map(({ selector }) => selector)
    .sort();
  const own = names.filter((name) => !standard.has(name));
  const name = at(own, random[0]);
  if (name === undefined) return code;
  const place = names.indexOf(name);
  const [low, high] = [names[place - 1] ?? "00000000", names[place + 1] ?? "ffffffff"].map((one) =>
    Number.parseInt(one, 16),
  );
  const next = Math.floor(((low ?? 0) + (high ?? 0)) / 2)
    .toString(16)
    .padStart(8, "0");
  const changed = Uint8Array.from(code);
  for (const [offset, op] of instructions(code)) {
    const carried = toHex(code.subarray(offset + 1, offset + 5));
    if (op === 0x63 && carried === name) changed.set(Buffer.from(next, "hex"), offset + 1);
  }
  return changed;
};

/** A further function of random bytes. */
const anotherFunction: Change = (code, random) => withFunction(code, "0badc0de", () => random);

test.each([
  ["other metadata", otherMetadata],
  ["instructions that do nothing on the way", junkOnTheWay],
  ["a function of another name", renamed],
  ["one more function", anotherFunction],
])("a danger is still found after a change of %s", { timeout: 120_000 }, (_name, change) => {
  fc.assert(
    fc.property(
      fc.nat(dangerous.length - 1),
      fc.array(fc.nat(255), { minLength: 16, maxLength: 64 }),
      (number, random) => {
        const { code = new Uint8Array(), contract = "" } = dangerous[number] ?? {};
        const before = analyse(code);
        const after = analyse(change(code, random));
        expect([contract, denied(before, after)]).toEqual([contract, []]);
      },
    ),
    { numRuns: 120, seed: 11 },
  );
});

/** Findings that were present before and are reported as absent. */
const denied = (before: CodeAnalysis, after: CodeAnalysis) =>
  findingNames.filter((name) => before.findings[name].value === true && after.findings[name].value === false);

const jump = (place: number) => [0x61, place >> 8, place & 0xff, 0x56];
const pushMany = [0x63, 0xff, 0xff, 0xff, 0xff];

/** Things that a function may do instead of answering. `place` is its own beginning. */
const bombs: Readonly<Record<string, (place: number) => readonly number[]>> = {
  "goes round for ever": jump,
  // CALLDATALOAD(0) to slot 0
  "writes storage for ever": (place) => [0x60, 0, 0x35, 0x60, 0, 0x55, ...jump(place)],
  // KECCAK256 of four gigabytes
  "hashes for ever": (place) => [...pushMany, 0x60, 0, 0x20, 0x50, ...jump(place)],
  // Writes 1 to the end of memory, each time a word further.
  "takes more and more memory": (place) => [0x60, 1, 0x59, 0x52, ...jump(place)],
  // MSTORE far away, then it returns 1.
  "takes much memory at once": () => [0x60, 1, ...pushMany, 0x52, 0x60, 1, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xf3],
  "returns four gigabytes": () => [...pushMany, 0x60, 0, 0xf3],
  // CALL of its own address with all gas.
  "calls itself for ever": (place) => [
    ...Array.from({ length: 5 }, () => [0x60, 0]).flat(),
    0x30,
    0x5a,
    0xf1,
    0x50,
    ...jump(place),
  ],
};

const codeOf = (contract: string) =>
  readCorpus().find((one) => one.contract === contract && one.build === "solc-0.8.37-runs200")?.code ??
  new Uint8Array();

const asked = ["transfer", "transferFrom", "approve", "balanceOf", "owner", "totalSupply", "name"] as const;
const cases = asked.flatMap((name) => Object.keys(bombs).map((bomb) => [name, bomb] as const));

test.each(cases)("%s that %s is bounded, and makes no honest token clean", { timeout: 60_000 }, async (name, bomb) => {
  const code = withFunction(codeOf("OzOwnable"), selectors[name], bombs[bomb] ?? jump);
  const analysis = analyse(code);
  const run = await confirmed(
    code,
    analysis,
    readSignatures,
    (own) => openMachine(own, 200_000n),
    () => true,
  );

  expect(analysis.capabilities.limit).toBe("unknown");
  expect(run.capabilities.limit).toBe("unknown");
});

test.each(cases)("%s that %s hides no mint", (name, bomb) => {
  const code = withFunction(codeOf("OwnerMint"), selectors[name], bombs[bomb] ?? jump);

  expect(analyse(code).capabilities).toMatchObject({ mint: true, limit: "unknown" });
});

test("a number that the contract makes up for a holder is no balance", () => {
  // balanceOf: CALLER, PUSH4, MUL, and the product is returned.
  const body = () => [0x33, ...pushMany, 0x02, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xf3];

  expect(analyse(withFunction(codeOf("OzOwnable"), selectors.balanceOf, body)).capabilities).toEqual({
    mint: "unknown",
    limit: "unknown",
    leak: "unknown",
  });
});

test("inserted code has the meaning that the test intends", () => {
  const before = analyse(codeOf("OzOwnable"));
  const after = analyse(withFunction(codeOf("OzOwnable"), "0badc0de", () => [0x00]));

  expect(before.capabilities).toEqual({ mint: false, limit: false, leak: false });
  expect(after.capabilities).toEqual(before.capabilities);
  expect(after.functions).toBe(before.functions + 1);
});
