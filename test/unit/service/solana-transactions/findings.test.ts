/**
 * Findings of simulations beyond balances. The programs' client packages build the instructions. The stake and vote
 * programs and the loader have no client package here. Their instructions are verified by the effect of the real
 * programs.
 */

import { hash } from "node:crypto";
import { AccountRole, type Address, createAddressWithSeed, type Instruction, none, some } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { keyBytes, keyText } from "../../../../src/chains/solana/key.ts";
import { compileMessage } from "../../../../src/chains/solana/message/compile-message.ts";
import { readTransaction } from "../../../../src/chains/solana/message/message.ts";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { judge } from "../../../../src/service/solana-transactions/judge.ts";
import { callOf } from "../../../fakes/solana/service-double.ts";
import { nativeSucceeding, newVote, voter } from "../../../fixtures/solana/native-vectors.ts";
import { memo, mint2022, raw, succeeding, upgradeable } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { known, labels, protocol, said } from "../../../support/solana-said.ts";

const { user, friend, thief, userTokens, userOtherTokens } = w;
const nonce = w.named(41);
const stake = w.named(42);
const signer = w.signing(user);

const u32 = (value: number) => [value, 0, 0, 0];
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];
const nonceAccount = (authority: Address): AccountState => ({
  lamports: 1_447_680n,
  owner: programs.system,
  executable: false,
  data: Uint8Array.from([
    ...u32(1),
    ...u32(1),
    ...keyBytes(authority),
    ...new Uint8Array(32).fill(5),
    ...new Uint8Array(8),
  ]),
});
/** A stake that is initialized but not delegated: rent, staker, withdrawer, lockup. Source: Solana, StakeStateV2. */
const stakeAccount = (authority: Address): AccountState => ({
  lamports: 5_000_000_000n,
  owner: programs.stake,
  executable: false,
  data: Uint8Array.from([
    ...u32(1),
    ...new Uint8Array(new BigUint64Array([2_282_880n]).buffer),
    ...keyBytes(authority),
    ...keyBytes(authority),
    ...new Uint8Array(200 - 4 - 8 - 64),
  ]),
});
const read = (address: string) => ({ address: address as Address, role: AccountRole.READONLY });
const write = (address: string) => ({ address: address as Address, role: AccountRole.WRITABLE });
const sign = (address: string) => ({ address: address as Address, role: AccountRole.READONLY_SIGNER });
const CLOCK = "SysvarC1ock11111111111111111111111111111111";
const STAKE_HISTORY = "SysvarStakeHistory1111111111111111111111111";
const stakeInstruction = (data: readonly number[], accounts: Instruction["accounts"] = []): Instruction => ({
  programAddress: programs.stake as Address,
  accounts,
  data: Uint8Array.from(data),
});

describe("the system program", () => {
  test("Assign of a signer's own account is reported", async () => {
    const assign = system.getAssignInstruction({ account: signer, programAddress: w.named(70) });

    expect(await said([assign])).toMatchObject({
      error: undefined,
      found: [["account_owner_changed", user, w.named(70)]],
    });
  });

  test("Assign of a fresh account is ordinary, because accounts are created this way", async () => {
    const fresh = w.named(71);
    const assign = system.getAssignInstruction({ account: w.signing(fresh), programAddress: w.named(70) });

    expect((await said([assign])).found).toEqual([]);
  });

  test("Assign of another signer's account with money is reported", async () => {
    const assign = system.getAssignInstruction({ account: w.signing(friend), programAddress: w.named(70) });

    expect((await said([assign])).found).toEqual([["account_owner_changed", friend, w.named(70)]]);
  });

  test("AssignWithSeed and AllocateWithSeed of an address that does not sign concern no signer's account", async () => {
    const account = w.named(72);
    const withSeed = { newAccount: account, baseAccount: signer, base: user, seed: "s", programAddress: w.named(70) };
    const assign = system.getAssignWithSeedInstruction({ ...withSeed, account });
    const allocate = system.getAllocateWithSeedInstruction({ ...withSeed, space: 5n });

    expect((await said([assign])).found).toEqual([]);
    expect((await said([allocate])).found).toEqual([]);
  });

  test("AssignWithSeed of a signer's account is reported", async () => {
    const assign = system.getAssignWithSeedInstruction({
      account: user,
      baseAccount: signer,
      base: user,
      seed: "seed",
      programAddress: w.named(70),
    });

    expect((await said([assign])).found).toEqual([["account_owner_changed", user, w.named(70)]]);
  });

  test("CreateAccountAllowPrefund of a signer's own account with money is reported", async () => {
    const create = system.getCreateAccountAllowPrefundInstruction({
      newAccount: signer,
      lamports: 0n,
      space: 0n,
      programAddress: w.named(70),
    });
    const fails = system.getTransferSolInstruction({
      source: w.signing(friend),
      destination: user,
      amount: 10n ** 15n,
    });

    expect(await said([create])).toMatchObject({
      error: undefined,
      found: [["account_owner_changed", user, w.named(70)]],
    });
    expect(await said([create, fails])).toMatchObject({
      error: { kind: "instruction", index: 1 },
      found: [["account_owner_changed", user, w.named(70)]],
    });
  });

  test("a nonce's authority that changes is reported, and one that stays is not", async () => {
    const to = (newNonceAuthority: Address) =>
      system.getAuthorizeNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: signer, newNonceAuthority });
    const accounts = [[nonce, nonceAccount(user)]] as const;

    const { error, found, simulation } = await said([to(thief)], accounts);
    expect([error, found]).toEqual([undefined, [["nonce_authority_changed", nonce, thief]]]);
    expect(keyText((simulation.after.get(nonce)?.data ?? new Uint8Array()).subarray(8, 40))).toBe(thief);
    expect((await said([to(user)], accounts)).found).toEqual([]);
  });

  test("a durable nonce counts only as the first instruction", async () => {
    const advance = system.getAdvanceNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: signer });
    const pay = system.getTransferSolInstruction({ source: signer, destination: friend, amount: 5n });
    const accounts = [[nonce, nonceAccount(user)]] as const;

    expect((await said([advance, pay], accounts)).found).toEqual([["durable_nonce", nonce, undefined]]);
    expect((await said([pay, advance], accounts)).found).toEqual([]);
  });
});

describe("the token programs", () => {
  const authority = (authorityType: token.AuthorityType, to: Address | undefined, owned = userTokens) =>
    token.getSetAuthorityInstruction({
      owned,
      owner: signer,
      authorityType,
      newAuthority: to === undefined ? none() : some(to),
    });

  test.each([
    ["the owner", token.AuthorityType.AccountOwner, "token_owner_changed", userTokens],
    ["who may close", token.AuthorityType.CloseAccount, "token_close_authority_changed", userTokens],
    ["who may mint", token.AuthorityType.MintTokens, "token_authority_changed", w.mint],
  ])("SetAuthority is reported: %s", async (_what, type, name, account) => {
    const { error, found } = await said([authority(type, thief, account)]);

    expect([error, found]).toEqual([undefined, [[name, account, thief]]]);
  });

  test("SetAuthority is not reported when no address or the present holder gets the right", async () => {
    expect((await said([authority(token.AuthorityType.MintTokens, undefined, w.mint)])).found).toEqual([]);
    expect((await said([authority(token.AuthorityType.AccountOwner, user)])).found).toEqual([]);
  });

  test("a new authority of a token's metadata is reported, and the present one is not", async () => {
    const token2022 = w.named(67);
    const name = [...u32(1), 65];
    const metadata = [...keyBytes(user), ...keyBytes(token2022), ...name, ...name, ...u32(0), ...u32(0)];
    const discriminator = hash("sha256", "spl_token_metadata_interface:update_the_authority", "hex").slice(0, 16);
    const give = async (to: Uint8Array) => {
      const data = [...Buffer.from(discriminator, "hex"), ...to];
      const instruction = raw(programs.token2022, data, [write(token2022), sign(user)]);
      const { error, found } = await said([instruction], [[token2022, mint2022(19, metadata)]]);
      expect(error).toBeUndefined();
      return found;
    };

    expect(await give(keyBytes(thief))).toEqual([["token_authority_changed", token2022, thief]]);
    expect(await give(keyBytes(user))).toEqual([]);
    expect(await give(new Uint8Array(32))).toEqual([]);
  });

  test("SetAuthority inside a batch is reported", async () => {
    const inner = authority(token.AuthorityType.AccountOwner, thief);
    const { error, found } = await said([
      token.getBatchInstruction([token.getRevokeInstruction({ source: userTokens, owner: signer }), inner]),
    ]);

    expect([error, found]).toEqual([undefined, [["token_owner_changed", userTokens, thief]]]);
  });

  const approve = (amount: bigint, delegate: Address) =>
    token.getApproveInstruction({ source: userTokens, delegate, owner: signer, amount });
  const revoke = token.getRevokeInstruction({ source: userTokens, owner: signer });

  test.each([
    ["some to a stranger", [approve(5n, thief)], [["approval_unknown_delegate", userTokens, thief]]],
    ["all to a stranger", [approve(2n ** 64n - 1n, thief)], [["approval_unknown_delegate", userTokens, thief]]],
    ["some to a labelled protocol", [approve(5n, protocol)], []],
    ["all to a labelled protocol", [approve(2n ** 64n - 1n, protocol)], [["approval_unlimited", userTokens, protocol]]],
    [
      "more than there is, to a labelled protocol",
      [approve(1_000_000_001n, protocol)],
      [["approval_unlimited", userTokens, protocol]],
    ],
    ["nothing to a stranger", [approve(0n, thief)], []],
    ["and taken back at once", [approve(5n, thief), revoke], []],
    [
      "ApproveChecked to a stranger",
      [
        token.getApproveCheckedInstruction({
          source: userTokens,
          mint: w.mint,
          delegate: thief,
          owner: signer,
          amount: 5n,
          decimals: 6,
        }),
      ],
      [["approval_unknown_delegate", userTokens, thief]],
    ],
  ])("the findings on an approval: %s", async (_what, instructions, expected) => {
    const { error, found } = await said(instructions);

    expect([error, found]).toEqual([undefined, expected]);
  });

  const wrapped = w.named(36);
  const empty = w.named(37);
  const close = (account: Address, destination: Address) =>
    token.getCloseAccountInstruction({ account, destination, owner: signer });
  const closing = [
    [wrapped, w.tokenAccount(WRAPPED_SOL as Address, user, 3_000_000_000n, true)],
    [empty, w.tokenAccount(w.mint, user, 0n)],
  ] as const;

  test("CloseAccount is reported when it pays a stranger, and not when it pays the owner", async () => {
    expect((await said([close(empty, thief)], closing)).found).toEqual([["account_closed_to_stranger", empty, thief]]);
    expect((await said([close(wrapped, thief)], closing)).found).toEqual([
      ["account_closed_to_stranger", wrapped, thief],
    ]);
    expect((await said([close(wrapped, user)], closing)).found).toEqual([]);
  });

  test.each([
    [1, new Uint8Array(108).fill(1), "token_transfer_fee"],
    [6, Uint8Array.of(2), "token_default_frozen"],
    [9, new Uint8Array(), "token_non_transferable"],
    [12, new Uint8Array(32).fill(1), "token_permanent_delegate"],
    [14, new Uint8Array(64).fill(1), "token_transfer_hook"],
    [6, Uint8Array.of(1), undefined],
    [12, new Uint8Array(32), undefined],
    [3, new Uint8Array(32).fill(1), undefined],
  ])("Token-2022 extension %i is reported", async (type, value, name) => {
    const account = { ...w.tokenAccount(w.named(24), user, 5n), owner: programs.token2022 };
    const base = w.mintAccount(6).data;
    const data = Uint8Array.from([...base, ...new Uint8Array(83), 1, type, 0, value.length, 0, ...value]);
    const extended = { ...w.mintAccount(6), owner: programs.token2022, data };
    const burn = {
      ...token.getRevokeInstruction({ source: w.named(38), owner: signer }),
      programAddress: programs.token2022 as Address,
    };

    const { error, found } = await said(
      [burn],
      [
        [w.named(24), extended],
        [w.named(38), account],
      ],
    );

    expect([error, found]).toEqual([undefined, name === undefined ? [] : [[name, w.named(24), undefined]]]);
  });
});

describe("the vote program", () => {
  const seed = [...u64(3n), ...new TextEncoder().encode("abc")];
  const owner = programs.system as Address;
  const byUser = [write(voter), read(CLOCK), sign(user)] as const;
  const voteInstruction = (data: readonly number[], accounts: Instruction["accounts"] = []): Instruction => ({
    programAddress: programs.vote as Address,
    accounts,
    data: Uint8Array.from(data),
  });
  const withdrawnBy = (by: Address) => voteInstruction([...u32(3), ...u64(10n)], [write(voter), write(user), sign(by)]);

  /**
   * The vote account is created in the same transaction. The new authority withdraws at the end, which shows that it
   * has the right.
   */
  test.each([
    ["Authorize the withdrawer", false, [...u32(1), ...keyBytes(thief), ...u32(1)], byUser],
    ["AuthorizeChecked", false, [...u32(7), ...u32(1)], [...byUser, sign(thief)]],
    ["AuthorizeWithSeed", true, [...u32(10), ...u32(1), ...keyBytes(owner), ...seed, ...keyBytes(thief)], byUser],
    ["AuthorizeCheckedWithSeed", true, [...u32(11), ...u32(1), ...keyBytes(owner), ...seed], [...byUser, sign(thief)]],
  ] as const)("the new withdrawer of a vote account is reported: %s", async (_what, isSeeded, data, used) => {
    const seeded = await createAddressWithSeed({ baseAddress: user, programAddress: owner, seed: "abc" });
    const made = newVote(isSeeded ? seeded : user);

    const { error, found } = await said([...made, voteInstruction(data, used), withdrawnBy(thief)]);

    expect([error, found]).toEqual([
      undefined,
      [
        ["stake_authority_changed", voter, thief],
        ["account_for_another", voter, thief],
      ],
    ]);
  });

  test("Authorize of the voter is reported, although the voter may not withdraw", async () => {
    const authorize = voteInstruction([...u32(1), ...keyBytes(thief), ...u32(0)], byUser);

    const { error, found } = await said([...newVote(user), authorize, withdrawnBy(user)]);

    expect([error, found]).toEqual([undefined, [["stake_authority_changed", voter, thief]]]);
  });

  test("authorizing the present withdrawer of a vote account is not reported", async () => {
    const toOneself = voteInstruction([...u32(1), ...keyBytes(user), ...u32(1)], byUser);

    expect((await said([...newVote(user), toOneself, withdrawnBy(user)])).found).toEqual([]);
  });
});

describe("the stake program", () => {
  const accounts = [[stake, stakeAccount(user)]] as const;
  const staker = (data: Uint8Array) => keyText(data.subarray(12, 44));
  const withdrawer = (data: Uint8Array) => keyText(data.subarray(44, 76));

  test.each([
    [
      "Authorize the staker",
      [...u32(1), ...keyBytes(thief), ...u32(0)],
      [write(stake), read(CLOCK), sign(user)],
      staker,
    ],
    [
      "Authorize the withdrawer",
      [...u32(1), ...keyBytes(thief), ...u32(1)],
      [write(stake), read(CLOCK), sign(user)],
      withdrawer,
    ],
    ["AuthorizeChecked", [...u32(10), ...u32(1)], [write(stake), read(CLOCK), sign(user), sign(thief)], withdrawer],
    ["Authorize without the clock", [...u32(1), ...keyBytes(thief), ...u32(1)], [write(stake), sign(user)], withdrawer],
    [
      "Authorize without the clock, with a custodian",
      [...u32(1), ...keyBytes(thief), ...u32(1)],
      [write(stake), sign(user), sign(friend)],
      withdrawer,
    ],
    ["AuthorizeChecked without the clock", [...u32(10), ...u32(0)], [write(stake), sign(user), sign(thief)], staker],
  ] as const)("the new authority of a stake is reported: %s", async (_what, data, used, who) => {
    const { error, found, simulation } = await said([stakeInstruction(data, used)], accounts);

    expect([error, found]).toEqual([undefined, [["stake_authority_changed", stake, thief]]]);
    expect(who(simulation.after.get(stake)?.data ?? new Uint8Array())).toBe(thief);
  });

  /** An address that is derived by a seed, with a base that signs. */
  test.each([
    ["AuthorizeWithSeed", 8, [...keyBytes(thief)], [write(stake), sign(user), read(CLOCK)]],
    ["AuthorizeWithSeed without the clock", 8, [...keyBytes(thief)], [write(stake), sign(user)]],
    ["AuthorizeCheckedWithSeed", 11, [], [write(stake), sign(user), read(CLOCK), sign(thief)]],
    ["AuthorizeCheckedWithSeed without the clock", 11, [], [write(stake), sign(user), sign(thief)]],
  ] as const)("the new authority is reported when a derived address signs: %s", async (_what, number, to, used) => {
    const owner = programs.system as Address;
    const seeded = await createAddressWithSeed({ baseAddress: user, programAddress: owner, seed: "abc" });
    const seed = [...u64(3n), ...new TextEncoder().encode("abc"), ...keyBytes(owner)];
    const data = [...u32(number), ...to, ...u32(1), ...seed];

    const { error, found, simulation } = await said([stakeInstruction(data, used)], [[stake, stakeAccount(seeded)]]);

    expect([error, found]).toEqual([undefined, [["stake_authority_changed", stake, thief]]]);
    expect(withdrawer(simulation.after.get(stake)?.data ?? new Uint8Array())).toBe(thief);
  });

  test("authorizing the present withdrawer of a stake is not reported", async () => {
    const data = [...u32(1), ...keyBytes(user), ...u32(1)];

    expect((await said([stakeInstruction(data, [write(stake), read(CLOCK), sign(user)])], accounts)).found).toEqual([]);
  });
});

describe("the upgradeable loader", () => {
  /** Program data: kind 3, the slot of its deployment, and its upgrade authority. Source: UpgradeableLoaderState. */
  const code = w.named(43);
  const account = {
    lamports: 10_000_000n,
    owner: programs.upgradeableLoader,
    executable: false,
    data: Uint8Array.from([...u32(3), ...new Uint8Array(8), 1, ...keyBytes(user), ...new Uint8Array(100)]),
  };
  const instruction = (data: readonly number[], accounts: Instruction["accounts"] = []): Instruction => ({
    programAddress: programs.upgradeableLoader as Address,
    accounts,
    data: Uint8Array.from(data),
  });

  test.each([
    ["SetAuthority", instruction(u32(4), [write(code), sign(user), read(thief)]), thief],
    ["SetAuthorityChecked", instruction(u32(7), [write(code), sign(user), sign(thief)]), thief],
    ["SetAuthority to nobody", instruction(u32(4), [write(code), sign(user)]), undefined],
  ])("a new upgrade authority is reported: %s", async (_what, set, to) => {
    const { error, found, simulation } = await said([set], [[code, account]]);

    expect([error, found]).toEqual([undefined, [["upgrade_authority_changed", code, to]]]);
    const data = simulation.after.get(code)?.data ?? new Uint8Array();
    expect(to === undefined ? data[12] : keyText(data.subarray(13, 45))).toBe(to ?? 0);
  });

  test("Close is reported when it pays a stranger, and not when it pays the authority", async () => {
    const close = (to: Address) => instruction(u32(5), [write(code), write(to), sign(user), write(w.named(44))]);
    const buffer = { ...account, data: Uint8Array.from([...u32(1), 1, ...keyBytes(user), ...new Uint8Array(100)]) };

    expect(await said([close(thief)], [[code, buffer]])).toMatchObject({
      error: undefined,
      found: [["account_closed_to_stranger", code, thief]],
    });
    expect((await said([close(user)], [[code, buffer]])).found).toEqual([]);
  });

  test("Upgrade is reported, although it fails here", async () => {
    const program = w.named(44);
    const accounts = [code, program, w.named(45), user].map(write);
    const upgrade = instruction(u32(3), [...accounts, read(CLOCK), read(CLOCK), sign(user)]);

    expect((await said([upgrade], [[code, account]])).found).toContainEqual(["program_upgraded", program, undefined]);
  });
});

describe("money that leaves", () => {
  const pay = (amount: bigint, destination: Address = thief) =>
    system.getTransferSolInstruction({ source: signer, destination, amount });
  const send = (source: Address, destination: Address, amount: bigint) =>
    token.getTransferInstruction({ source, destination, authority: signer, amount });
  const back = (amount: bigint, destination: Address = user) =>
    system.getTransferSolInstruction({ source: w.signing(friend), destination, amount });
  /** Tokens that a stranger mints as needed. */
  const junk = w.named(26);
  /** Labelled, of 6 decimals. */
  const fine = w.named(28);
  const dollar = w.named(29);
  const held = new Map([
    [junk, w.named(46)],
    [known, w.named(47)],
    [fine, w.named(49)],
    [dollar, w.named(50)],
  ]);
  const mintTo = (amount: bigint, of: Address = junk) =>
    token.getMintToInstruction({
      mint: of,
      token: held.get(of) ?? w.named(46),
      mintAuthority: w.signing(friend),
      amount,
    });
  const strange = [
    [junk, w.mintAccount(0, { authority: friend })],
    [known, w.mintAccount(0, { authority: friend })],
    [w.named(46), w.tokenAccount(junk, user, 0n)],
    [w.named(47), w.tokenAccount(known, user, 0n)],
    [w.named(48), w.tokenAccount(WRAPPED_SOL as Address, user, 0n, true)],
    [fine, w.mintAccount(6, { authority: friend })],
    [dollar, w.mintAccount(6, { authority: friend })],
    [w.named(49), w.tokenAccount(fine, user, 0n)],
    [w.named(50), w.tokenAccount(dollar, user, 1_000_000_000n)],
    [w.named(51), w.tokenAccount(dollar, friend, 0n)],
  ] as const;
  const first = send(userTokens, w.thiefTokens, 1_000_000_000n);
  const second = send(userOtherTokens, w.thiefOtherTokens, 7_000n);

  test.each([
    ["half of the SOL", [pay(4_999_990_000n)], []],
    ["more than half", [pay(5_100_000_000n)], [["majority_of_sol_leaves", user, undefined]]],
    ["one token", [first], []],
    ["two tokens", [first, second], [["several_assets_leave", user, undefined]]],
    [
      "a token and most of the SOL",
      [first, pay(9_000_000_000n)],
      [
        ["majority_of_sol_leaves", user, undefined],
        ["several_assets_leave", user, undefined],
      ],
    ],
    [
      "two tokens, and SOL comes back, straight from somebody",
      [first, second, back(30_000_000n)],
      [["payment_unclear", user, undefined]],
    ],
    [
      "two tokens, and small change comes back",
      [first, second, back(15_000_000n)],
      [["several_assets_leave", user, undefined]],
    ],
    [
      "two tokens, and one that nobody knows comes back",
      [first, second, mintTo(1n)],
      [["several_assets_leave", user, undefined]],
    ],
    [
      "two tokens, and a little wrapped SOL comes back",
      [first, second, back(1_000n, w.named(48)), token.getSyncNativeInstruction({ account: w.named(48) })],
      [["several_assets_leave", user, undefined]],
    ],
    [
      "SOL is wrapped, most of it",
      [pay(9_000_000_000n, w.named(48)), token.getSyncNativeInstruction({ account: w.named(48) })],
      [],
    ],
    [
      "two tokens, and a labelled one comes back, which may be worth nothing",
      [first, second, mintTo(1n, known)],
      [["several_assets_leave", user, undefined]],
    ],
    [
      "most of the SOL, and less than a thousandth of a labelled token comes back",
      [pay(9_000_000_000n), mintTo(999n, fine)],
      [["majority_of_sol_leaves", user, undefined]],
    ],
    [
      "most of the SOL, and a thousandth of a labelled token comes back, straight from somebody",
      [pay(9_000_000_000n), mintTo(1_000n, fine)],
      [["payment_unclear", user, undefined]],
    ],
    [
      "a token and most of the SOL, and a labelled token comes back",
      [first, pay(9_000_000_000n), mintTo(1_000n, fine)],
      [
        ["majority_of_sol_leaves", user, undefined],
        ["several_assets_leave", user, undefined],
      ],
    ],
    [
      "a token and dollars, and SOL that is worth less than half of them at its best",
      [first, send(w.named(50), w.named(51), 70_000_000n), back(30_000_000n)],
      [["several_assets_leave", user, undefined]],
    ],
    [
      "a token and dollars, and SOL that may be worth half of them, and whether it is of the token nobody knows",
      [first, send(w.named(50), w.named(51), 50_000_000n), back(30_000_000n)],
      [["payment_unclear", user, undefined]],
    ],
    [
      "most of the SOL and dollars, and dollars that may be worth half of both",
      [pay(9_000_000_000n), send(w.named(50), w.named(51), 50_000_000n), mintTo(1_000_000_000n, dollar)],
      [["payment_unclear", user, undefined]],
    ],
    [
      "most of the SOL, and dollars that are worth less than half of it at its worst",
      [pay(9_000_000_000n), mintTo(22_000_000n, dollar)],
      [["majority_of_sol_leaves", user, undefined]],
    ],
    [
      "most of the SOL, for dollars straight from somebody",
      [pay(9_000_000_000n), mintTo(900_000_000n, dollar)],
      [["payment_unclear", user, undefined]],
    ],
    ["a token and some of the SOL", [first, pay(4_900_000_000n)], [["several_assets_leave", user, undefined]]],
    ["a token, and less than a tenth of the SOL along", [first, pay(900_000_000n)], []],
  ])("the findings when this leaves the user: %s", async (_what, instructions, expected) => {
    const { error, found } = await said(instructions, strange);

    expect([error, found]).toEqual([undefined, expected]);
  });

  const unclear = [["payment_unclear", user, undefined]];
  const several = [["several_assets_leave", user, undefined]];
  const majority = [["majority_of_sol_leaves", user, undefined]];
  const both = [first, second];
  const most = pay(9_000_000_000n, friend);
  /** The address that signs beside the user gets the user's tokens. */
  const toFriend = send(w.named(50), w.named(51), 1n);
  const tooMany = { authority: friend, supply: 10n ** 18n };
  const temporary = (owner: Address, closedTo: Address, lamports: bigint) => [
    system.getCreateAccountInstruction({
      payer: signer,
      newAccount: w.signing(w.named(60)),
      lamports,
      space: 165n,
      programAddress: programs.token as Address,
    }),
    token.getInitializeAccount3Instruction({ account: w.named(60), mint: WRAPPED_SOL as Address, owner }),
    token.getCloseAccountInstruction({ account: w.named(60), destination: closedTo, owner: w.signing(owner) }),
  ];

  test.each<[string, Instruction[], Instruction[], unknown[]]>([
    ["two tokens for a labelled one", [...both, mintTo(1_000n, fine)], [], []],
    ["two tokens for less than a thousandth of it", [...both, mintTo(999n, fine)], [], several],
    ["two tokens for SOL", [...both, back(30_000_000n)], [], []],
    ["most of the SOL for a labelled token", [most, mintTo(1_000n, fine)], [], []],
    [
      "most of the SOL for one that nobody knows",
      [most, mintTo(1n)],
      [],
      [["paid_in_unknown_tokens", user, undefined]],
    ],
    ["a swap and the fee of whoever made it", [most, mintTo(1_000n, fine)], [pay(90_000_000n)], []],
    ["a swap and more than a fee", [pay(5_000_000_000n, friend), mintTo(1_000n, fine)], [pay(200_000_000n)], unclear],
    ["a swap, and all else goes to somebody", [mintTo(1_000n, fine)], [most], unclear],
    ["two tokens that go straight to somebody, for SOL", [back(30_000_000n)], both, unclear],
    ["two tokens, in a batch, for SOL", [back(30_000_000n)], [token.getBatchInstruction(both)], unclear],
    [
      "two tokens that are burnt, for SOL",
      [second, back(30_000_000n)],
      [token.getBurnInstruction({ account: userTokens, mint: w.mint, authority: signer, amount: 5n })],
      unclear,
    ],
    [
      "most of the SOL, for a labelled token that comes straight from somebody",
      [most],
      [mintTo(1_000n, fine)],
      unclear,
    ],
    [
      "tokens that go to one who signs, too",
      [most, mintTo(1_000n, fine)],
      [toFriend],
      several.concat(majority).toReversed(),
    ],
    [
      "SOL that is wrapped for a while",
      [mintTo(1_000n, fine), pay(5_100_000_000n, friend)],
      temporary(user, user, 4_000_000_000n),
      [],
    ],
    [
      "SOL by way of somebody's account, wrapped for a while",
      [mintTo(1_000n, fine)],
      temporary(friend, friend, 9_000_000_000n),
      unclear,
    ],
  ])("the findings on a trade through a labelled protocol: %s", async (_what, inside, beside, expected) => {
    const accounts = [...strange, ...upgradeable(protocol, w.named(92), memo)];
    const { error, found } = await said([callOf(protocol, inside), ...beside], accounts, {}, inside);

    expect([error, found]).toEqual([undefined, expected]);
  });

  test.each([
    ["a millionth of all there is, though it is a thousandth of one", 1_000n, { authority: friend }, []],
    ["so little that all of it would be worth more than any token ever was", 1_000n, tooMany, majority],
    ["a unit less than may be worth it", 450_000_500n, tooMany, majority],
    ["the least that may be worth it: $45 of 10^12 tokens, for 10^11 dollars in all", 450_000_501n, tooMany, []],
  ])("most of the SOL leaves through a labelled protocol for %s", async (_what, amount, mint, expected) => {
    const inside = [most, mintTo(amount, fine)];
    const accounts = [
      ...strange.filter(([address]) => address !== fine),
      [fine, w.mintAccount(6, mint)] as const,
      ...upgradeable(protocol, w.named(92), memo),
    ];
    const { error, found } = await said([callOf(protocol, inside)], accounts, {}, inside);

    expect([error, found]).toEqual([undefined, expected]);
  });

  test("staked SOL counts as the user's SOL", async () => {
    const used = [write(stake), write(thief), read(CLOCK), read(STAKE_HISTORY), sign(user)];
    const withdraw = (lamports: bigint) => stakeInstruction([...u32(4), ...u64(lamports)], used);
    const accounts = [[stake, { ...stakeAccount(user), lamports: 50_000_000_000n }]] as const;

    expect(await said([withdraw(40_000_000_000n)], accounts)).toMatchObject({
      error: undefined,
      found: [
        ["withdrawn_to_stranger", stake, thief],
        ["majority_of_sol_leaves", user, undefined],
      ],
    });
    expect(await said([withdraw(20_000_000_000n)], accounts)).toMatchObject({
      error: undefined,
      found: [["withdrawn_to_stranger", stake, thief]],
    });
  });
});

describe("the priority fee", () => {
  const price = (units: bigint) => ({
    programAddress: programs.computeBudget as Address,
    data: Uint8Array.from([3, ...u64(units)]),
  });
  const units = (count: number) => ({
    programAddress: programs.computeBudget as Address,
    data: Uint8Array.from([2, ...new Uint8Array(new Uint32Array([count]).buffer)]),
  });
  const pay = system.getTransferSolInstruction({ source: signer, destination: friend, amount: 5n });
  const high = ["fee_high", user, undefined];

  test.each([
    ["a tenth of a SOL", [units(1_000_000), price(100_000_000n), pay], []],
    ["a lamport more", [units(1_000_000), price(100_000_001n), pay], [high]],
    ["by the limit that holds without one: 200,000 each", [price(250_000_005n), pay], [high]],
    ["at most for 1,400,000 units", [units(4_000_000_000), price(71_000_000n), pay], []],
    ["an ordinary price", [units(200_000), price(20_000n), pay], []],
  ])("the findings on a priority fee: %s", async (_what, instructions, expected) => {
    expect((await said(instructions)).found).toEqual(expected);
  });
});

describe("addresses that labels call dangerous", () => {
  const listed = w.named(61);

  test("a listed mint, delegate and owner of a token account are named, even if the transaction fails", async () => {
    const accounts = [
      [listed, w.mintAccount(0)],
      [w.named(46), w.tokenAccount(listed, user, 5n)],
      [w.named(47), w.tokenAccount(w.mint, listed, 5n)],
    ] as const;
    const burn = token.getBurnInstruction({ account: w.named(46), mint: listed, authority: signer, amount: 1n });
    const send = token.getTransferInstruction({
      source: userTokens,
      destination: w.named(47),
      authority: signer,
      amount: 2_000_000_000n,
    });

    expect((await said([burn], accounts)).found).toEqual([["listed_address", listed, undefined]]);
    expect((await said([send], accounts)).found).toEqual([["listed_address", listed, undefined]]);
    expect((await said([send])).found).toEqual([]);
  });
});

test("a listed address within the data of an instruction is reported", async () => {
  const listed = w.named(61);
  const note = (key: Address): Instruction => ({
    programAddress: programs.memo as Address,
    accounts: [sign(user)],
    data: Uint8Array.of(1, ...keyBytes(key), 2),
  });

  expect((await said([note(listed)])).found).toContainEqual(["listed_address", listed, undefined]);
  expect(JSON.stringify((await said([note(w.named(62))])).found)).not.toContain("listed_address");
});

test("revoking a listed delegate is not reported, and keeping one is", async () => {
  const listed = w.named(61);
  const account = w.tokenAccount(w.mint, user, 5n, false, { to: listed, amount: 5n });
  const accounts = [[w.named(46), account]] as const;
  const revoke = token.getRevokeInstruction({ source: w.named(46), owner: signer });
  const send = token.getTransferInstruction({
    source: w.named(46),
    destination: userTokens,
    authority: signer,
    amount: 1n,
  });

  expect((await said([revoke], accounts)).found).toEqual([]);
  expect((await said([send], accounts)).found).toEqual([["listed_address", listed, undefined]]);
});

describe("the SOL of a token account beside its tokens", () => {
  const account = [[userTokens, { ...w.tokenAccount(w.mint, user, 5n), lamports: 5_000_000_000n }]] as const;
  const withdraw = (to: Address): Instruction => ({
    programAddress: programs.token as Address,
    accounts: [write(userTokens), write(to), sign(user)],
    data: Uint8Array.of(38),
  });

  test("a withdrawal of that SOL is reported when it goes to a stranger, and not when it goes to the owner", async () => {
    expect(await said([withdraw(thief)], account)).toMatchObject({
      error: undefined,
      found: [["withdrawn_to_stranger", userTokens, thief]],
    });
    expect(await said([withdraw(user)], account)).toMatchObject({ error: undefined, found: [] });
  });
});

describe("unknown programs and instructions", () => {
  test.each([
    ["an account with money in it for a program without a label", 20_000_001n, w.named(70), [w.named(70)]],
    ["one that holds its rent", 20_000_000n, w.named(70), []],
    ["one for a labelled protocol", 4_000_000_000n, protocol, []],
  ])("the owner of a new account is reported or not: %s", async (_what, lamports, programAddress, programs) => {
    const create = system.getCreateAccountInstruction({
      payer: signer,
      newAccount: w.signing(w.named(60)),
      lamports,
      space: 0n,
      programAddress,
    });

    expect((await said([create])).found).toEqual(programs.map((program) => ["program_unknown", program, undefined]));
  });

  test("a program without a label is reported, even if the call fails", async () => {
    const program = w.named(73);

    expect(await said([{ programAddress: program, accounts: [], data: new Uint8Array() }])).toMatchObject({
      error: { name: "ProgramAccountNotFound" },
      found: [["program_unknown", program, undefined]],
    });
  });

  test.each([
    ["a number of the system program beyond the last", programs.system, [14, 0, 0, 0, 1]],
    ["a number of the stake program beyond the last", programs.stake, [18, 0, 0, 0]],
    ["a number of the vote program beyond the last", programs.vote, [19, 0, 0, 0]],
    ["a number of the token program between two", programs.token, [25, 1]],
    ["Token-2022's confidential transfers, which hide amounts", programs.token2022, [27, 7]],
    ["Token-2022's number beyond the last", programs.token2022, [47, 0, 0, 0, 0, 0, 0, 0]],
    ["a move to another loader", programs.upgradeableLoader, [8, 0, 0, 0]],
    ["a batch that is cut short", programs.token, [255, 0, 9, 3]],
    ["a hidden amount inside a batch", programs.token2022, [255, 0, 2, 27, 7]],
    ["a burn that hides its amount", programs.token2022, [46, 3, 1]],
    ["a setting of a mint's fees beyond the last", programs.token2022, [26, 6]],
    ["a setting of an account's guard beyond the last", programs.token2022, [34, 2]],
    ["a budget of an unknown kind", programs.computeBudget, [5]],
    ["a lookup table's number beyond the last", programs.addressLookupTable, [5, 0, 0, 0]],
    ["who may change a collectible", programs.tokenMetadata, [50, 1]],
    ["a delegate of a collectible", programs.tokenMetadata, [44, 0]],
    ["a collectible's number beyond the last", programs.tokenMetadata, [58]],
    ["a token account's number beyond the last", programs.associatedToken, [3]],
  ])("an unknown instruction is reported: %s", async (_what, program, data) => {
    const { found } = await said([{ programAddress: program as Address, data: Uint8Array.from(data) }]);

    expect(found).toContainEqual(["instruction_unknown", program, undefined]);
  });

  test.each([
    ["the last of the system program", programs.system, [13, 0, 0, 0]],
    ["the last of the token program", programs.token, [45, 0]],
    ["the last of a mint's fees", programs.token2022, [26, 5]],
    ["the last of a burn that somebody must allow", programs.token2022, [46, 2]],
    ["a name in the metadata of a token", programs.token2022, [221, 233, 49, 45, 181, 202, 220, 200, 0]],
    ["a token account, by no number", programs.associatedToken, []],
    ["a memo", programs.memo, [255, 255]],
    ["a token's metadata", programs.tokenMetadata, [42]],
  ])("%s is known", async (_what, program, data) => {
    const { found } = await said([{ programAddress: program as Address, data: Uint8Array.from(data) }]);

    expect(found.map(([name]) => name)).not.toContain("instruction_unknown");
    expect(found.map(([name]) => name)).not.toContain("program_unknown");
  });

  /** Every family of instructions, except hooks and other unknown programs. */
  const ofTheNetwork = [...succeeding, ...nativeSucceeding].filter(
    ({ name, message }) => message === undefined && !/hook|a program that only the chain has/.test(name),
  );
  test.each(ofTheNetwork)("no program or instruction of $name is unknown", async ({ instructions, accounts, form }) => {
    const { found } = await said(instructions, accounts, form);

    expect(found.filter(([name]) => name === "program_unknown" || name === "instruction_unknown")).toEqual([]);
  });

  test("a missing lookup table is reported", async () => {
    const pay = system.getTransferSolInstruction({ source: signer, destination: friend, amount: 5n });
    const message = readTransaction(w.messageBytes([pay], { tables: { [w.named(50)]: [friend] } }));
    if (!message.ok) throw new Error(message.detail);
    const simulated = await w.simulatorOver().simulate([message.value], false);
    const [simulation] = simulated.ok ? simulated.simulations : [];
    if (simulation === undefined) throw new Error("no simulation");

    expect(simulation.error).toEqual({ kind: "transaction", name: "AddressLookupTableNotFound" });
    expect(judge(message.value, simulation, labels).findings.map(({ name }) => name)).toEqual([
      "lookup_table_unresolved",
    ]);
  });

  test("a change of authority is reported, even if the transaction fails", async () => {
    const assign = system.getAssignInstruction({ account: signer, programAddress: w.named(70) });
    const pay = system.getTransferSolInstruction({ source: w.signing(friend), destination: user, amount: 10n ** 15n });

    expect(await said([assign, pay])).toMatchObject({
      error: { kind: "instruction", index: 1, name: "Custom", code: 1 },
      found: [["account_owner_changed", user, w.named(70)]],
    });
  });
});

test("a structured transaction has the same findings as a serialized one", async () => {
  const assign = system.getAssignInstruction({ account: signer, programAddress: w.named(70) });
  const accounts = assign.accounts.map(({ address }) => ({ address, isSigner: true, isWritable: true }));
  const message = compileMessage(user, [{ program: programs.system, accounts, data: Uint8Array.from(assign.data) }]);
  if (!message.ok) throw new Error(message.detail);
  const simulated = await w.simulatorOver().simulate([message.value], false);
  const [simulation] = simulated.ok ? simulated.simulations : [];
  if (simulation === undefined) throw new Error("no simulation");

  expect(judge(message.value, simulation, labels).findings.map(({ name }) => name)).toEqual(["account_owner_changed"]);
});
