/**
 * Losses that no balance of the signer shows: assets that services hold for the signer, and assets that only their
 * programs can read.
 */
import { type Address, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { callOf } from "../../../fakes/solana/service-double.ts";
import { raw, read, sign, write } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { protocol, said } from "../../../support/solana-said.ts";

const { user, friend, mint } = w;
/** A wallet: an address that may have a key. */
const thief = w.named(84);
const thiefTokens = w.named(85);
const SOL = 1_000_000_000n;
const signer = w.signing(user);
/** A pool's own address, which has no key. Here it signs by itself, as its program would let it sign. */
const [pool] = await getProgramDerivedAddress({ programAddress: protocol, seeds: ["pool"] });
const [otherPool] = await getProgramDerivedAddress({ programAddress: protocol, seeds: ["other"] });
const poolTokens = w.named(72);
const otherPoolTokens = w.named(73);
const userWrapped = w.named(74);
const poolTokensOf = w.named(79);
const accounts: readonly (readonly [string, AccountState])[] = [
  [pool, w.wallet(100n * SOL)],
  [otherPool, w.wallet(SOL)],
  [poolTokens, w.tokenAccount(mint, pool, 1_000_000_000n)],
  [otherPoolTokens, w.tokenAccount(mint, otherPool, 0n)],
  [thiefTokens, w.tokenAccount(mint, thief, 0n)],
  [userWrapped, w.tokenAccount(WRAPPED_SOL as Address, user, 3n * SOL, true)],
];
const fromPool = (amount: bigint, destination: Address) =>
  system.getTransferSolInstruction({ source: w.signing(pool), destination, amount });
const tokensFromPool = (amount: bigint, destination: Address) =>
  token.getTransferInstruction({ source: poolTokens, destination, authority: w.signing(pool), amount });
const toUser = (amount: bigint) =>
  system.getTransferSolInstruction({ source: w.signing(otherPool), destination: user, amount });
const toPool = (amount: bigint) =>
  token.getTransferInstruction({ source: w.userTokens, destination: poolTokens, authority: signer, amount });
const unwrap = token.getCloseAccountInstruction({ account: userWrapped, destination: user, owner: signer });

/**
 * Accounts of the `service_pays_stranger` findings. Other findings come from the test double, in which a program signs
 * by itself.
 */
async function namesOf(inside: readonly Instruction[], beside: readonly Instruction[] = []) {
  const { error, found } = await said([callOf(protocol, inside), ...beside], accounts, {}, inside);
  expect(error).toBeUndefined();
  return found.filter(([name]) => name === "service_pays_stranger").map(([, account]) => account);
}

describe("a service pays a stranger by the user's signature", () => {
  test.each<[string, Instruction[], Instruction[]]>([
    ["SOL that it held for him", [fromPool(5n * SOL, thief)], []],
    ["SOL, though his own is unwrapped beside it", [fromPool(5n * SOL, thief)], [unwrap]],
    ["SOL, for tokens of his", [toPool(500_000_000n), fromPool(5n * SOL, thief)], []],
    ["more than he gets himself", [fromPool(2n * SOL, user), fromPool(3n * SOL, thief)], []],
  ])("the payment to a stranger is reported: %s", async (_what, inside, beside) => {
    expect(await namesOf(inside, beside)).toEqual([thief]);
  });

  test("a payment in tokens that the service held for the user is reported", async () => {
    const inside = [tokensFromPool(5n, thiefTokens)];
    const { found } = await said([callOf(protocol, inside)], accounts, {}, inside);

    expect(found).toEqual([["service_pays_stranger", thief, thief]]);
  });

  test("a payment in tokens to a derived address that the transaction does not name is reported", async () => {
    const hidden = [poolTokensOf, w.tokenAccount(mint, otherPool, 0n)] as const;
    const inside = [tokensFromPool(5n, poolTokensOf)];
    const { found } = await said([callOf(protocol, inside)], [...accounts, hidden], {}, inside);

    expect(found).toEqual([["service_pays_stranger", otherPool, otherPool]]);
  });
});

describe("payments that are not reported", () => {
  test.each<[string, Instruction[], Instruction[]]>([
    ["what he gets back himself", [fromPool(5n * SOL, user)], []],
    ["tokens for SOL, and a fee for somebody", [toPool(5n), fromPool(5n * SOL, user), fromPool(SOL / 10n, thief)], []],
    ["small change for somebody", [fromPool(20_000_000n, thief)], []],
    [
      "what passes from pool to pool, and a fee of it",
      [toPool(5n), fromPool(5n * SOL, otherPool), fromPool(SOL / 4n, thief)],
      [],
    ],
    ["tokens from pool to pool, which pays out, too", [tokensFromPool(500n, otherPoolTokens), toUser(5n)], []],
    [
      "a payment by way of a service",
      [system.getTransferSolInstruction({ source: signer, destination: friend, amount: 2n * SOL })],
      [],
    ],
  ])("a payment is not reported: %s", async (_what, inside, beside) => {
    expect(await namesOf(inside, beside)).toEqual([]);
  });

  test("a payment without any service is not reported", async () => {
    const pay = system.getTransferSolInstruction({ source: w.signing(friend), destination: thief, amount: SOL });

    expect((await said([pay])).found).toEqual([]);
  });
});

const BUBBLEGUM = "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY";
const CORE = "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d";
const NAMES = "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX";
const SQUADS = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf";
/** The first bytes, as the programs' own clients encode them. */
const TRANSFER = [163, 52, 200, 231, 140, 3, 69, 186];
const TRANSFER_V2 = [119, 40, 6, 235, 234, 221, 248, 49];
const DELEGATE = [90, 147, 75, 178, 85, 88, 4, 137];
const MINT_V1 = [145, 98, 192, 118, 184, 147, 118, 104];
const PROPOSAL_APPROVE = [144, 37, 164, 136, 188, 216, 42, 248];
const PROPOSAL_REJECT = [243, 62, 134, 156, 230, 106, 246, 135];
const VAULT_EXECUTE = [194, 8, 161, 87, 153, 164, 25, 171];
const [tree, asset, name] = [w.named(76), w.named(77), w.named(78)];
const leaf = (to: Address) => [read(w.named(75)), sign(user), read(user), read(to), write(tree)];

async function unreadOf(program: string, data: readonly number[], named: readonly ReturnType<typeof read>[]) {
  const { found } = await said([raw(program, data, named)]);
  return found.filter(([finding]) => finding === "holdings_unread");
}

describe("losses that no balance shows", () => {
  test.each([
    ["a compressed collectible goes", BUBBLEGUM, TRANSFER, leaf(thief), thief],
    [
      "the same, of the second kind",
      BUBBLEGUM,
      TRANSFER_V2,
      [read(w.named(75)), sign(user), sign(user), read(user), read(user), read(thief), write(tree)],
      thief,
    ],
    ["somebody may take one", BUBBLEGUM, DELEGATE, leaf(thief), undefined],
    [
      "a collectible of its own goes",
      CORE,
      [14, 0],
      [write(asset), read(CORE), sign(user), sign(user), read(thief)],
      thief,
    ],
    ["one of the same is burnt", CORE, [12, 0], [write(asset), read(CORE), sign(user)], undefined],
    ["somebody may take one of the same", CORE, [2, 3], [write(asset), read(CORE), sign(user)], undefined],
    ["a name goes", NAMES, [2], [write(name), sign(user)], undefined],
    ["a shared wallet's proposal is agreed to", SQUADS, PROPOSAL_APPROVE, [read(w.named(75)), sign(user)], undefined],
    ["one is carried out", SQUADS, VAULT_EXECUTE, [read(w.named(75)), sign(user)], undefined],
    ["what has no number", CORE, [], [sign(user)], undefined],
  ])("the loss is reported: %s", async (_what, program, data, named, to) => {
    expect(await unreadOf(program, data, named)).toEqual([["holdings_unread", program, to]]);
  });

  test.each([
    ["a compressed collectible that comes", BUBBLEGUM, TRANSFER, leaf(user)],
    ["one that is made", BUBBLEGUM, MINT_V1, leaf(thief)],
    [
      "a collectible of its own that comes",
      CORE,
      [14, 0],
      [write(asset), read(CORE), sign(user), read(CORE), read(user)],
    ],
    ["one of the same that is made", CORE, [20, 0], [write(asset), sign(user)]],
    ["a name that is made", NAMES, [0], [write(name), sign(user)]],
    ["a shared wallet's proposal that is refused", SQUADS, PROPOSAL_REJECT, [read(w.named(75)), sign(user)]],
    ["the same bytes of another program", programs.memo, [14, 0], [sign(user)]],
  ])("no loss is reported for %s", async (_what, program, data, named) => {
    expect(await unreadOf(program, data, named)).toEqual([]);
  });
});
