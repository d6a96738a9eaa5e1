import type { Address, Instruction } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import fc from "fast-check";
import { expect, test } from "vitest";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { listed } from "../../../fixtures/solana/cases.ts";
import * as v from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { exactService } from "../../../support/exact-service.ts";
import { isNotMilder } from "../../../support/not-milder.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { verdictOnCase } from "../../../support/solana-case.ts";

const { user, friend, thief, mint, otherMint } = w;
const SOL = 1_000_000_000n;
const lent = w.named(71);
const shared = w.named(46);
const wrapped = w.named(66);
const friendWrapped = w.named(65);
const accounts = [
  [lent, w.tokenAccount(mint, friend, 40n, false, { to: user, amount: 40n })],
  [shared, w.tokenAccount(mint, user, 70n)],
  [wrapped, w.tokenAccount(WRAPPED_SOL as Address, user, 3n * SOL, true)],
  [friendWrapped, w.tokenAccount(WRAPPED_SOL as Address, friend, SOL, true)],
] as const;
const wallets = [user, friend, thief, listed];
const ofMint = [w.userTokens, w.friendTokens, w.thiefTokens, lent, shared];
const made = (owner: Address, of: Address) =>
  token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer: w.signing(user), owner, mint: of });
const makes = await Promise.all(
  wallets.flatMap((owner) => [mint, otherMint, WRAPPED_SOL as Address].map((of) => made(owner, of))),
);

const signer = fc.constantFrom(user, user, user, friend);
const move = (places: readonly Address[], amounts: readonly bigint[]) =>
  fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...places), signer, fc.constantFrom(...amounts))
    .map(([source, destination, who, amount]) =>
      token.getTransferInstruction({ source, destination, authority: w.signing(who), amount }),
    );
const instruction: fc.Arbitrary<Instruction> = fc.oneof(
  fc
    .tuple(
      signer,
      fc.constantFrom(...wallets),
      fc.constantFrom(0n, 5n, 10_000_000n, 30_000_000n, SOL, 4n * SOL, 6n * SOL),
    )
    .map(([source, destination, amount]) =>
      system.getTransferSolInstruction({ source: w.signing(source), destination, amount }),
    ),
  move(ofMint, [0n, 5n, 7n, 1_000_000n]),
  move([w.userOtherTokens, w.thiefOtherTokens], [5n, 7_000n]),
  move([wrapped, friendWrapped], [5n, SOL, 2n * SOL]),
  fc.constantFrom(...makes),
  fc.constantFrom(
    v.raw(programs.memo, [104]),
    v.raw(programs.computeBudget, [3, ...v.u64(20_000n)]),
    v.raw(programs.computeBudget, [3, ...v.u64(2_000_000_000n)]),
  ),
);

test("payments of any kind, alone or in sequence, are judged no milder than with Weir's own service", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(instruction, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      async ([instructions = [], ...next]) => {
        const each = { name: "", instructions, next, accounts };
        const own = await verdictOnCase(each);
        const exact = await verdictOnCase(each, exactService);
        expect(
          isNotMilder(own.decision, exact.decision),
          `${own.decision} ${own.fired}, and ${exact.decision} ${exact.fired}`,
        ).toBe(true);
      },
    ),
    propertyRuns(40),
  );
});
