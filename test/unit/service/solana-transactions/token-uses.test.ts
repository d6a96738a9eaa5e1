/**
 * Tokens that a signer mints, moves, burns or freezes by a right of the signer. Each instruction runs, and ordinary
 * uses have no finding.
 */
import type { Address, Instruction } from "@solana/kit";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { keyBytes } from "../../../../src/chains/solana/key.ts";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { callOf } from "../../../fakes/solana/service-double.ts";
import {
  account2022,
  memo,
  mint2022,
  multisig,
  pay,
  raw,
  read,
  send,
  sign,
  u32,
  u64,
  upgradeable,
  write,
} from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { protocol, said } from "../../../support/solana-said.ts";

const { user, friend, thief, mint, userTokens, friendTokens, thiefTokens } = w;
const signer = w.signing(user);
const own = w.named(71);
const lent = w.named(72);
const shared = w.named(49);
const protocolCode = upgradeable(protocol, w.named(92), memo);

const mintTo = (account: Address, amount = 5n) =>
  token.getMintToInstruction({ mint, token: account, mintAuthority: signer, amount });
const burn = (amount: bigint, account = userTokens) =>
  token.getBurnInstruction({ account, mint, authority: signer, amount });
/** Tokens of a friend that lets the user send 60 of them. */
const lentBy = (owner: Address): readonly (readonly [string, AccountState])[] => [
  [lent, w.tokenAccount(mint, owner, 100n, false, { to: user, amount: 60n })],
];
const frozenBy = (who: Address): readonly (readonly [string, AccountState])[] => {
  const account = w.mintAccount(6, { authority: user });
  account.data.set([...u32(1), ...keyBytes(who)], 46);
  return [[mint, account]];
};
/** Token-2022 accounts: two token accounts, and a mint with one extension. */
const with2022 = (type: number, value: readonly number[]): readonly (readonly [string, AccountState])[] => [
  [w.named(67), mint2022(type, value)],
  [w.named(68), account2022(w.named(67), user, 100n)],
  [w.named(69), account2022(w.named(67), friend, 100n)],
];
const on2022 = (data: readonly number[], accounts: NonNullable<Instruction["accounts"]>) =>
  raw(programs.token2022, data, accounts);

describe("minted tokens", () => {
  const forThief = [["minted_for_another", mint, thief]];

  test.each([
    ["MintTo", mintTo(thiefTokens)],
    [
      "MintToChecked",
      token.getMintToCheckedInstruction({ mint, token: thiefTokens, mintAuthority: signer, amount: 5n, decimals: 6 }),
    ],
    ["a batch", token.getBatchInstruction([mintTo(thiefTokens)])],
  ])("tokens minted for another owner by %s are reported", async (_how, instruction) => {
    const { error, found } = await said([instruction]);

    expect([error, found]).toEqual([undefined, forThief]);
  });

  test("tokens minted for the signer, for another account of the signer, or burnt again are not reported", async () => {
    expect((await said([mintTo(userTokens)])).found).toEqual([]);
    expect((await said([mintTo(own)], [[own, w.tokenAccount(mint, user, 0n)]])).found).toEqual([]);
    expect((await said([mintTo(userTokens), burn(5n)])).found).toEqual([]);
  });

  test("tokens that are minted and sent on at once are reported, whatever balance the account had before", async () => {
    const none = [[userTokens, w.tokenAccount(mint, user, 0n)]] as const;

    expect((await said([mintTo(userTokens), send(5n, thiefTokens)])).found).toEqual(forThief);
    expect((await said([mintTo(userTokens), send(5n, thiefTokens)], none)).found).toEqual(forThief);
    expect((await said([send(5n, thiefTokens)])).found).toEqual([]);
  });

  test("minting by an authority that does not sign does not run and is not reported", async () => {
    const byFriend = [[mint, w.mintAccount(6, { authority: friend })]] as const;
    const unsigned = raw(programs.token, [7, ...u64(5n)], [write(mint), write(thiefTokens), read(friend)]);

    const { error, found } = await said([unsigned], byFriend);

    expect([error?.name, found]).toEqual(["MissingRequiredSignature", []]);
  });

  test("minting by a second signer for the fee payer is not reported", async () => {
    const byFriend = [[mint, w.mintAccount(6, { authority: friend })]] as const;
    const make = token.getMintToInstruction({
      mint,
      token: userTokens,
      mintAuthority: w.signing(friend),
      amount: 5n,
    });

    expect((await said([make], byFriend)).found).toEqual([]);
  });

  test("tokens minted for a second signer that pays no fee are reported", async () => {
    const little = raw(programs.system, [...u32(2), ...u64(1n)], [{ ...write(thief), role: 3 }, write(user)]);

    const { error, found } = await said([mintTo(thiefTokens), little], [[thief, w.wallet(2_000_000_000n)]]);

    expect([error, found]).toEqual([undefined, [["minted_for_another", mint, thief]]]);
  });

  test("minting is reported when several keys share the right", async () => {
    const accounts = [
      [mint, w.mintAccount(6, { authority: shared })],
      [shared, multisig(1, [user, friend])],
    ] as const;
    const make = (to: string) =>
      raw(programs.token, [7, ...u64(5n)], [write(mint), write(to), read(shared), sign(user)]);

    expect(await said([make(thiefTokens)], accounts)).toMatchObject({ error: undefined, found: forThief });
    expect((await said([make(userTokens)], accounts)).found).toEqual([]);
  });

  test("minting is reported in a transaction that fails afterwards", async () => {
    const { error, found } = await said([mintTo(thiefTokens), pay(99_000_000_000n)]);

    expect([error?.kind, found]).toEqual(["instruction", forThief]);
  });

  test("minting by a labelled protocol is not reported, and minting beside its call is", async () => {
    const inside = [mintTo(friendTokens)];
    const call = callOf(protocol, inside);

    expect((await said([call], protocolCode, {}, inside)).found).toEqual([["service_pays_stranger", friend, friend]]);
    expect((await said([call, mintTo(thiefTokens)], protocolCode, {}, inside)).found).toEqual([
      ["service_pays_stranger", friend, friend],
      ["service_pays_stranger", thief, thief],
      ["minted_for_another", mint, thief],
    ]);
  });

  test("tokens minted for the signer and put into the pool of a labelled protocol are not reported", async () => {
    const inside = [send(5n, friendTokens)];

    const { error, found } = await said([mintTo(userTokens), callOf(protocol, inside)], protocolCode, {}, inside);

    expect([error, found.filter(([name]) => name === "minted_for_another")]).toEqual([undefined, []]);
  });

  test("withheld fees are reported when they go to another owner, and not when they go to the signer", async () => {
    const config = [...keyBytes(user), ...keyBytes(user), ...u64(9n), ...new Uint8Array(36)];
    const accounts = with2022(1, config);
    const fromMint = (to: string) => on2022([26, 2], [write(w.named(67)), write(to), sign(user)]);
    const fromAccounts = (to: string) =>
      on2022([26, 3, 1], [write(w.named(67)), write(to), sign(user), write(w.named(68))]);

    for (const withdraw of [fromMint, fromAccounts]) {
      expect(await said([withdraw(w.named(69))], accounts)).toMatchObject({
        error: undefined,
        found: [
          ["minted_for_another", w.named(67), friend],
          ["token_transfer_fee", w.named(67), undefined],
        ],
      });
      expect((await said([withdraw(w.named(68))], accounts)).found).toEqual([
        ["token_transfer_fee", w.named(67), undefined],
      ]);
    }
  });
});

describe("tokens that a delegate moves", () => {
  const to = (destination: Address) =>
    token.getTransferInstruction({ source: lent, destination, authority: signer, amount: 40n });

  test.each([
    ["Transfer", to(thiefTokens), [["moved_as_delegate", lent, thief]]],
    [
      "TransferChecked",
      token.getTransferCheckedInstruction({
        source: lent,
        mint,
        destination: thiefTokens,
        authority: signer,
        amount: 40n,
        decimals: 6,
      }),
      [["moved_as_delegate", lent, thief]],
    ],
    ["Transfer to himself", to(userTokens), [["moved_as_delegate", lent, user]]],
    ["Burn", burn(40n, lent), [["moved_as_delegate", lent, undefined]]],
    [
      "BurnChecked",
      token.getBurnCheckedInstruction({ account: lent, mint, authority: signer, amount: 40n, decimals: 6 }),
      [["moved_as_delegate", lent, undefined]],
    ],
  ])("the findings when a delegate moves tokens: %s", async (_how, instruction, expected) => {
    const { error, found } = await said([instruction], lentBy(friend));

    expect([error, found]).toEqual([undefined, expected]);
  });

  test("a move to another account of the holder is not reported", async () => {
    expect(await said([to(friendTokens)], lentBy(friend))).toMatchObject({ error: undefined, found: [] });
  });

  test("a move is not reported when the holder signs as well", async () => {
    const agreed = raw(programs.memo, [104], [sign(friend)]);

    expect(await said([to(thiefTokens), agreed], lentBy(friend))).toMatchObject({ error: undefined, found: [] });
  });

  test("a move from a shared account is not reported when the signer is one of its owners", async () => {
    const accounts = [
      [shared, multisig(1, [user, friend])],
      [lent, w.tokenAccount(mint, shared, 100n)],
    ] as const;
    const move = raw(programs.token, [3, ...u64(5n)], [write(lent), write(friendTokens), read(shared), sign(user)]);

    expect(await said([move], accounts)).toMatchObject({ error: undefined, found: [] });
  });

  test("a move by a labelled protocol is reported only as a payment to a stranger", async () => {
    const inside = [to(friendTokens)];
    const { error, found } = await said([callOf(protocol, inside)], [...lentBy(thief), ...protocolCode], {}, inside);

    expect([error, found]).toEqual([undefined, [["service_pays_stranger", friend, friend]]]);
  });

  test("a move by a permanent delegate of the mint with TransferCheckedWithFee is reported", async () => {
    const accounts = with2022(12, [...keyBytes(user)]);
    const data = [26, 1, ...u64(5n), 6, ...u64(0n)];
    const move = on2022(data, [write(w.named(69)), read(w.named(67)), write(w.named(68)), sign(user)]);

    expect(await said([move], accounts)).toMatchObject({
      error: undefined,
      found: [
        ["moved_as_delegate", w.named(69), user],
        ["token_permanent_delegate", w.named(67), undefined],
      ],
    });
  });

  test("unwrapped SOL is reported when it goes to a stranger, and not when it goes to its holder", async () => {
    const accounts = [
      [lent, w.tokenAccount(WRAPPED_SOL as Address, friend, 3_000_000_000n, true, { to: user, amount: 60n })],
    ] as const;
    const unwrap = (destination: Address) =>
      raw(programs.token, [45, 1, ...u64(40n)], [write(lent), write(destination), sign(user)]);

    expect(await said([unwrap(user)], accounts)).toMatchObject({
      error: undefined,
      found: [["moved_as_delegate", lent, user]],
    });
    expect((await said([unwrap(friend)], accounts)).found).toEqual([]);
  });
});

describe("frozen accounts", () => {
  const freeze = (account: Address) => token.getFreezeAccountInstruction({ account, mint, owner: signer });

  test("freezing another owner's account is reported, and freezing the signer's own is not", async () => {
    expect(await said([freeze(friendTokens)], frozenBy(user))).toMatchObject({
      error: undefined,
      found: [["tokens_frozen", friendTokens, undefined]],
    });
    expect((await said([freeze(userTokens)], frozenBy(user))).found).toEqual([]);
  });

  test("thawing another owner's account is not reported", async () => {
    const tokens = w.tokenAccount(mint, friend, 5n);
    const accounts = [...frozenBy(user), [friendTokens, { ...tokens, data: tokens.data.with(108, 2) }]] as const;
    const thaw = token.getThawAccountInstruction({ account: friendTokens, mint, owner: signer });

    expect(await said([thaw], accounts)).toMatchObject({ error: undefined, found: [] });
  });

  test("pausing a whole token is reported, and resuming it is not", async () => {
    const paused = (isPaused: number) => with2022(26, [...keyBytes(user), isPaused]);
    const pause = (number: number) => on2022([44, number], [write(w.named(67)), sign(user)]);

    expect(await said([pause(1)], paused(0))).toMatchObject({
      error: undefined,
      found: [["tokens_frozen", w.named(67), undefined]],
    });
    expect(await said([pause(2)], paused(1))).toMatchObject({ error: undefined, found: [] });
  });
});

describe("burnt tokens", () => {
  const mostBurnt = [["most_of_token_burnt", mint, undefined]];

  test.each([
    ["most of them", [burn(500_000_001n)], mostBurnt],
    ["all of them", [burn(1_000_000_000n)], mostBurnt],
    ["most of them, in two parts", [burn(300_000_000n), burn(300_000_000n)], mostBurnt],
    ["half of them", [burn(500_000_000n)], []],
    ["as many as were made before", [mintTo(userTokens, 10n ** 9n), burn(10n ** 9n)], []],
  ])("the findings when the signer burns tokens: %s", async (_what, instructions, expected) => {
    const { error, found } = await said(instructions);

    expect([error, found]).toEqual([undefined, expected]);
  });

  test("burning most of one account is reported, but not if another named account holds far more", async () => {
    const accounts = [[own, w.tokenAccount(mint, user, 4n)]] as const;
    const between = token.getTransferInstruction({
      source: userTokens,
      destination: own,
      authority: signer,
      amount: 1n,
    });

    expect((await said([burn(4n, own)], accounts)).found).toEqual(mostBurnt);
    expect((await said([burn(4n, own), between], accounts)).found).toEqual([]);
  });

  test("burning for SOL may be a payment, and burning for the rent alone is none", async () => {
    const back = (amount: bigint) =>
      raw(programs.system, [...u32(2), ...u64(amount)], [{ ...write(friend), role: 3 }, write(user)]);

    const unclear = [["payment_unclear", user, undefined]];
    expect((await said([burn(10n ** 9n), back(2_000_000_000n)])).found).toEqual(unclear);
    expect((await said([burn(10n ** 9n), back(20_100_000n)])).found).toEqual(unclear);
    expect((await said([burn(10n ** 9n), back(2_000_000n)])).found).toEqual(mostBurnt);
  });

  test("burning is reported in a transaction that fails afterwards", async () => {
    const { error, found } = await said([burn(10n ** 9n), pay(99_000_000_000n)]);

    expect([error?.kind, found]).toEqual(["instruction", mostBurnt]);
  });

  test("burning by a labelled protocol that the signer calls is not reported", async () => {
    const inside = [burn(10n ** 9n)];

    expect((await said([callOf(protocol, inside)], protocolCode, {}, inside)).found).toEqual([]);
  });
});

test("a truncated instruction, or one with too few accounts, has no finding", async () => {
  const cut = raw(programs.token, [8, 1], [write(userTokens), write(mint), sign(user)]);
  const few = [3, 7, 10].map((number) => raw(programs.token, [number, ...u64(5n)], [write(userTokens)]));

  for (const instruction of [cut, ...few]) expect((await said([instruction])).found).toEqual([]);
});
