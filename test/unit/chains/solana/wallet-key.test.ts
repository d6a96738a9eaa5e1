import { type Address, getAddressDecoder, getProgramDerivedAddress, isOffCurveAddress } from "@solana/kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { mayHaveKey } from "../../../../src/chains/solana/wallet-key.ts";

test("for any 32 bytes, whether they are a key matches kit", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const address = getAddressDecoder().decode(bytes);
      expect(mayHaveKey(address)).toBe(!isOffCurveAddress(address));
    }),
    { numRuns: 300 },
  );
});

test("an address that a program derives is no key", async () => {
  for (const seed of ["a", "b", "c"]) {
    const [address] = await getProgramDerivedAddress({ programAddress: programs.token as Address, seeds: [seed] });
    expect(mayHaveKey(address)).toBe(false);
  }
});
