/** A thread sends its exact results, whatever they are. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { packSimulations, unpackSimulations } from "../../../../../src/adapters/solana/simulator/simulation-bytes.ts";
import { keyText } from "../../../../../src/chains/solana/key.ts";
import type { Simulation } from "../../../../../src/service/solana-transactions/simulator.ts";

const bytes = fc.uint8Array({ maxLength: 300 });
/** Few addresses, so that texts repeat. */
const address = fc.integer({ min: 0, max: 5 }).map((n) => keyText(new Uint8Array(32).fill(n)));
const state = fc.record({
  lamports: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  owner: address,
  executable: fc.boolean(),
  data: fc.oneof(
    bytes,
    fc.integer({ min: 0, max: 16_384 }).map((length) => new Uint8Array(length).fill(7)),
  ),
});
const accounts = fc.array(fc.tuple(address, state), { maxLength: 4 }).map((entries) => new Map(entries));
const simulation: fc.Arbitrary<Simulation> = fc.record({
  slot: fc.maxSafeNat(),
  error: fc.constantFrom(
    undefined,
    { kind: "transaction", name: "AccountNotFound" } as const,
    { kind: "instruction", index: 3, name: "Custom", code: 4_294_967_295 } as const,
  ),
  computeUnits: fc.nat(),
  accounts: fc.array(fc.option(address, { nil: undefined })),
  inner: fc.array(fc.array(fc.record({ program: fc.nat({ max: 255 }), accounts: bytes, data: bytes }))),
  before: accounts,
  after: accounts,
  mints: accounts,
});

test("packed simulations are equal after unpacking", () => {
  fc.assert(
    fc.property(fc.array(simulation, { maxLength: 6 }), (simulations) => {
      expect(unpackSimulations(structuredClone(packSimulations(simulations)))).toEqual(simulations);
    }),
    { numRuns: 200 },
  );
});
