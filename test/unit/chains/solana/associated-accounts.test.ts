import type { Address } from "@solana/kit";
import { findAssociatedTokenPda } from "@solana-program/token";
import { expect, test } from "vitest";
import { associatedAccounts } from "../../../../src/chains/solana/associated-accounts.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import * as w from "../../../fixtures/solana/world.ts";

test("the associated accounts of many wallets are those that the client of the program derives", async () => {
  for (let n = 1; n < 40; n++) {
    const [owner, mint] = [w.named(n), w.named(n + 1)];
    const expected = await Promise.all(
      [programs.token, programs.token2022].map((tokenProgram) =>
        findAssociatedTokenPda({ owner, mint, tokenProgram: tokenProgram as Address }),
      ),
    );

    expect(associatedAccounts(owner, mint)).toEqual(expected.map(([address]) => address));
  }
});
