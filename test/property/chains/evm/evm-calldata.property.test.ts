import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOf } from "../../../../src/chains/evm/abi/abi-reader.ts";
import { signatures } from "../../../../src/chains/evm/calls/token-calls.ts";
import { wrappers } from "../../../../src/chains/evm/calls/wrappers.ts";
import { readTransaction, selectorOf } from "../../../../src/chains/evm/read-transaction.ts";
import { calldata } from "../../../support/evm-calls.ts";

/** Fields that only calls of services fill. */
const NO_SERVICE = { services: [], tokens: [], bought: [], mentions: [] };

fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? 200), seed: 20_261_122 });

const selectors = [...Object.keys(signatures), ...Object.keys(wrappers)].map(selectorOf);
const hex = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes).toString("hex"));
const anyone = hex(20, 20).map(addressOf);
const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
/** Offsets and lengths as honest calldata has them; the reader must not trust them. */
const word = fc.oneof(
  fc.nat(512).map((number) => number.toString(16).padStart(64, "0")),
  hex(32, 32),
  anyone.map((address) => address.slice(2).padStart(64, "0")),
  fc.constantFrom("f".repeat(64), "0".repeat(64)),
);
const me = addressOf("a1".repeat(20));
const token = addressOf("d4".repeat(20));
const read = (data: string) => readTransaction({ from: me, to: token, value: 0n, data, delegates: [] });

test("reading any bytes ends within bounds, and every call is either explained or reported as unexplained", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...selectors),
      fc.array(word, { maxLength: 40 }),
      hex(0, 31),
      (selector, words, rest) => {
        const { acts, contracts, unexplained } = read(selector + words.join("") + rest);

        expect(acts.length).toBeLessThanOrEqual(1_024);
        expect(contracts.length).toBeLessThanOrEqual(257);
        expect(unexplained.length).toBeLessThanOrEqual(1_024);
        // Only a call of zero amounts or of empty lists may have no effect.
        if (acts.length === 0 && unexplained.length === 0) expect(words.join("")).toContain("0".repeat(64));
      },
    ),
  );
});

test("a truncated call is never explained", () => {
  const whole = calldata("transferFrom((address,address,uint160,address)[])", [
    [
      [me, token, 5n, token],
      [me, token, 6n, token],
    ],
  ]).slice(2);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: whole.length / 2 - 1 }), (bytes) => {
      expect(read(whole.slice(0, 2 * bytes))).toMatchObject({ acts: [], unexplained: [{ contract: token }] });
    }),
  );
});

test("calldata that viem writes is read back, in any wrapping", () => {
  const wrap = fc.constantFrom<(data: `0x${string}`) => `0x${string}`>(
    (data) => data,
    (data) => calldata("multicall(bytes[])", [[data]]),
    (data) => calldata("multicall(uint256,bytes[])", [1n, [data]]),
    (data) => calldata("multicall(bytes[])", [[calldata("multicall(bytes[])", [[data]])]]),
  );
  fc.assert(
    fc.property(wrap, anyone, anyone, amount, (wrapped, to, spender, raw) => {
      const [transfer, approve] = [
        calldata("transferFrom(address,address,uint256)", [me, to, raw]),
        calldata("approve(address,uint256)", [spender, raw]),
      ];

      const done = [transfer, approve].map((data) => read(wrapped(data).slice(2)));

      expect(done).toEqual([
        {
          acts: [{ does: "transfer", token, from: me, to, amount: raw }],
          contracts: [token],
          actors: [me],
          unexplained: [],
          ...NO_SERVICE,
          overlaps: false,
        },
        {
          acts: [{ does: "approve", token, of: me, spender, amount: raw, adds: false, by: "call" }],
          contracts: [token],
          actors: [me],
          unexplained: [],
          ...NO_SERVICE,
          overlaps: false,
        },
      ]);
    }),
  );
});
