/**
 * Accounts that are given away without a payment: wallets, durable nonces, stakes, vote accounts and derived accounts,
 * with any address in the authority's position. Each theft is tested beside an ordinary transaction without findings.
 */
import { type Address, createAddressWithSeed, type Instruction } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { keyBytes, keyText } from "../../../../src/chains/solana/key.ts";
import { programs, WRAPPED_SOL } from "../../../../src/chains/solana/programs.ts";
import { newVote, voter } from "../../../fixtures/solana/native-vectors.ts";
import * as v from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { said } from "../../../support/solana-said.ts";

const { user, friend, thief, mint } = w;
const { u32, u64, read, write, sign, raw, stake, nonce, stakeAccount, nonceAccount, CLOCK, STAKE_HISTORY } = v;
const signer = w.signing(user);
const SOL = 1_000_000_000n;
const RENT_OF_NONCE = 1_447_680n;
const fresh = w.named(60);
const SYSTEM = programs.system as Address;
const signWrite = (address: string) => ({ address: address as Address, role: 3 as const });

const create = (lamports: bigint, space: bigint, programAddress: string, payer = user) =>
  system.getCreateAccountInstruction({
    payer: w.signing(payer),
    newAccount: w.signing(fresh),
    lamports,
    space,
    programAddress: programAddress as Address,
  });
const initializeNonce = (nonceAccount: Address, nonceAuthority: Address) =>
  system.getInitializeNonceAccountInstruction({ nonceAccount, nonceAuthority });
const initializeStake = (account: Address, withdrawer: Address, lockup: readonly number[] = [...new Uint8Array(48)]) =>
  raw(
    programs.stake,
    [...u32(0), ...keyBytes(user), ...keyBytes(withdrawer), ...lockup],
    [write(account), read("SysvarRent111111111111111111111111111111111")],
  );
const stakeOf = (data: readonly number[], ...accounts: NonNullable<Instruction["accounts"]>) =>
  raw(programs.stake, data, accounts);

/** The expected findings when the transaction succeeds. */
async function expectSaid(
  instructions: readonly Instruction[],
  expected: readonly unknown[],
  accounts: readonly (readonly [string, AccountState])[] = [],
  form: w.Form = {},
) {
  const { error, found, simulation } = await said(instructions, accounts, form);
  expect([error, found]).toEqual([undefined, expected]);
  return simulation;
}

describe("a wallet that becomes a durable nonce", () => {
  const allocate = system.getAllocateInstruction({ newAccount: w.signing(friend), space: 80n });

  test("a wallet that becomes a thief's durable nonce is reported", async () => {
    const simulation = await expectSaid(
      [allocate, initializeNonce(friend, thief)],
      [
        ["account_allocated", friend, undefined],
        ["nonce_authority_changed", friend, thief],
        ["account_for_another", friend, thief],
      ],
    );
    expect(keyText((simulation.after.get(friend)?.data ?? new Uint8Array()).subarray(8, 40))).toBe(thief);
  });

  test("a wallet that only gets space is reported, because turning it into a nonce takes no signature", async () => {
    await expectSaid([allocate], [["account_allocated", friend, undefined]]);
    await expectSaid(
      [
        system.getCreateAccountAllowPrefundInstruction({
          newAccount: w.signing(friend),
          lamports: 0n,
          space: 80n,
          programAddress: SYSTEM,
        }),
      ],
      [["account_allocated", friend, undefined]],
    );
  });

  test("a wallet that becomes a durable nonce is reported, even if the transaction fails", async () => {
    const pay = system.getTransferSolInstruction({ source: signer, destination: thief, amount: 10n ** 15n });

    expect(await said([allocate, initializeNonce(friend, thief), pay])).toMatchObject({
      error: { kind: "instruction", index: 2 },
      found: [
        ["account_allocated", friend, undefined],
        ["nonce_authority_changed", friend, thief],
      ],
    });
  });

  test("a derived account with money that gets space is reported", async () => {
    const derived = await createAddressWithSeed({ baseAddress: user, programAddress: SYSTEM, seed: "s" });
    const allocated = system.getAllocateWithSeedInstruction({
      newAccount: derived,
      baseAccount: signer,
      base: user,
      seed: "s",
      space: 80n,
      programAddress: SYSTEM,
    });

    await expectSaid([allocated], [["account_allocated", derived, undefined]], [[derived, w.wallet(5n * SOL)]]);
    expect((await said([allocated])).found).toEqual([]);
  });

  test("a derived account that goes to a program is reported", async () => {
    const program = w.named(70);
    const derived = await createAddressWithSeed({ baseAddress: user, programAddress: program, seed: "s" });
    const withSeed = { baseAccount: signer, base: user, seed: "s", programAddress: program };
    const assign = system.getAssignWithSeedInstruction({ account: derived, ...withSeed });
    const allocated = system.getAllocateWithSeedInstruction({ newAccount: derived, space: 5n, ...withSeed });
    const funded = [[derived, w.wallet(5n * SOL)]] as const;

    await expectSaid([assign], [["account_owner_changed", derived, program]], funded);
    await expectSaid(
      [allocated],
      [
        ["account_allocated", derived, undefined],
        ["account_owner_changed", derived, program],
      ],
      funded,
    );
    expect((await said([assign])).found).toEqual([]);
  });

  test("an account that the transaction creates does not count as a wallet", async () => {
    await expectSaid([create(RENT_OF_NONCE, 80n, programs.system), initializeNonce(fresh, user)], []);
    await expectSaid([system.getAllocateInstruction({ newAccount: w.signing(fresh), space: 0n })], []);
  });
});

describe("an account that is created for another holder", () => {
  test("a durable nonce for another holder is reported", async () => {
    await expectSaid(
      [create(4n * SOL, 80n, programs.system), initializeNonce(fresh, thief)],
      [["account_for_another", fresh, thief]],
    );
  });

  test("a stake for another holder is reported, whichever addresses sign", async () => {
    const made = [create(4n * SOL, 200n, programs.stake), initializeStake(fresh, thief)];
    const andSigns = raw(programs.memo, [104, 105], [sign(thief)]);

    await expectSaid(made, [["account_for_another", fresh, thief]]);
    await expectSaid([...made, andSigns], [["account_for_another", fresh, thief]], [[thief, w.wallet(SOL)]]);
  });

  test("an account without a holder is reported when a stranger becomes its holder", async () => {
    const empty = { ...nonceAccount(user, 4n * SOL), data: new Uint8Array(80) };

    await expectSaid([initializeNonce(nonce, thief)], [["account_for_another", nonce, thief]], [[nonce, empty]]);
  });

  const withMore = [create(4n * SOL, 165n, programs.token)];

  test("a code buffer, token account, mint or uninitialized account with more than its rent is reported", async () => {
    const buffer = raw(programs.upgradeableLoader, u32(0), [write(fresh), read(thief)]);
    const initialize = token.getInitializeAccount3Instruction({ account: fresh, mint, owner: thief });
    const made = token.getInitializeMint2Instruction({ mint: fresh, decimals: 6, mintAuthority: thief });

    await expectSaid(
      [create(4n * SOL, 37n, programs.upgradeableLoader), buffer],
      [["account_for_another", fresh, thief]],
    );
    await expectSaid([...withMore, initialize], [["account_for_another", fresh, thief]]);
    await expectSaid([create(4n * SOL, 82n, programs.token), made], [["account_for_another", fresh, undefined]]);
    await expectSaid(withMore, [["account_for_another", fresh, undefined]]);
  });

  test("a token account, a mint or a buffer with only its rent is not reported", async () => {
    const initialize = (owner: Address) => token.getInitializeAccount3Instruction({ account: fresh, mint, owner });
    const made = token.getInitializeMint2Instruction({ mint: fresh, decimals: 6, mintAuthority: thief });
    const buffer = raw(programs.upgradeableLoader, u32(0), [write(fresh), read(user)]);

    await expectSaid([create(v.rent(165n), 165n, programs.token), initialize(thief)], []);
    await expectSaid([...withMore, initialize(user)], []);
    await expectSaid([create(v.rent(82n), 82n, programs.token), made], []);
    await expectSaid([create(4n * SOL, 37n, programs.upgradeableLoader), buffer], []);
  });

  test("an account for the signer itself is not reported, even if another address lends the rent", async () => {
    await expectSaid([create(8n * SOL, 200n, programs.stake), initializeStake(fresh, user)], []);
    const lent = [create(RENT_OF_NONCE, 80n, programs.system, friend), initializeNonce(fresh, user)];
    await expectSaid([...lent, raw(programs.memo, [104], [sign(user)])], [], [], { payer: friend });
  });
});

describe("another address is in the authority's position", () => {
  const both = [sign(thief), sign(user)];

  test.each([
    ["Authorize", [...u32(1), ...keyBytes(thief), ...u32(1)], [read(CLOCK), read(thief), sign(user)]],
    ["Authorize the staker", [...u32(1), ...keyBytes(thief), ...u32(0)], [read(CLOCK), ...both]],
    ["Authorize without the clock", [...u32(1), ...keyBytes(thief), ...u32(1)], both],
  ])("the new authority of a stake is reported, whatever the authority's position: %s", async (_what, data, used) => {
    const simulation = await said([stakeOf(data, write(stake), ...used)], [[stake, stakeAccount(user)]]);

    // Programs differ in which signers they check. The test only requires that no successful change goes unreported.
    const changed = keyText((simulation.simulation.after.get(stake)?.data ?? new Uint8Array()).subarray(12, 44));
    expect([simulation.error === undefined || changed === user, simulation.found]).toEqual([
      true,
      [["stake_authority_changed", stake, thief]],
    ]);
  });

  test("the new authority of a vote account is reported", async () => {
    const authorize = raw(
      programs.vote,
      [...u32(1), ...keyBytes(thief), ...u32(1)],
      [write(voter), read(CLOCK), read(thief), sign(user)],
    );

    await expectSaid(
      [...newVote(user), authorize],
      [
        ["stake_authority_changed", voter, thief],
        ["account_for_another", voter, thief],
      ],
    );
  });

  test("the new authority of a durable nonce is reported", async () => {
    const authorize = raw(programs.system, [...u32(7), ...keyBytes(thief)], [write(nonce), read(thief), sign(user)]);

    const simulation = await expectSaid(
      [authorize],
      [["nonce_authority_changed", nonce, thief]],
      [[nonce, nonceAccount(user)]],
    );
    expect(keyText((simulation.after.get(nonce)?.data ?? new Uint8Array()).subarray(8, 40))).toBe(thief);
  });
});

describe("withdrawals from accounts", () => {
  const seeded = { seed: "s", base: user };

  test("a withdrawal from a durable nonce is reported when it goes to a stranger, and not when it goes to the holder", async () => {
    const accounts = [[nonce, nonceAccount(user, 5n * SOL)]] as const;
    const withdraw = (recipientAccount: Address, withdrawAmount = 5n * SOL) =>
      system.getWithdrawNonceAccountInstruction({
        nonceAccount: nonce,
        recipientAccount,
        nonceAuthority: signer,
        withdrawAmount,
      });

    await expectSaid([withdraw(thief)], [["withdrawn_to_stranger", nonce, thief]], accounts);
    await expectSaid([withdraw(user)], [], accounts);
    const hidden = raw(
      programs.system,
      [...u32(5), ...u64(5n * SOL)],
      [
        write(nonce),
        write(thief),
        read("SysvarRecentB1ockHashes11111111111111111111"),
        read("SysvarRent111111111111111111111111111111111"),
        read(thief),
        sign(user),
      ],
    );
    await expectSaid([hidden], [["withdrawn_to_stranger", nonce, thief]], accounts);
  });

  test("a withdrawal from a stake is reported when it goes to a stranger, and not when it goes to another account of the holder", async () => {
    const withdraw = (to: Address) =>
      stakeOf([...u32(4), ...u64(SOL)], write(stake), write(to), read(CLOCK), read(STAKE_HISTORY), sign(user));
    const accounts = [
      [stake, stakeAccount(user)],
      [nonce, nonceAccount(user)],
    ] as const;

    await expectSaid([withdraw(thief)], [["withdrawn_to_stranger", stake, thief]], accounts);
    await expectSaid([withdraw(nonce)], [], accounts);
  });

  test("a withdrawal from a vote account to a stranger is reported", async () => {
    const withdraw = (to: Address) =>
      raw(programs.vote, [...u32(3), ...u64(10n)], [write(voter), write(to), sign(user)]);

    await expectSaid([...newVote(user), withdraw(friend)], [["withdrawn_to_stranger", voter, friend]]);
    await expectSaid([...newVote(user), withdraw(user)], []);
  });

  test("a payment of a derived account is reported when it goes to a stranger, and not when it goes to its base address", async () => {
    const derived = await createAddressWithSeed({ baseAddress: user, programAddress: SYSTEM, seed: "s" });
    const transfer = (destination: Address, amount = SOL) =>
      system.getTransferSolWithSeedInstruction({
        source: derived,
        baseAccount: signer,
        destination,
        amount,
        fromSeed: seeded.seed,
        fromOwner: SYSTEM,
      });
    const accounts = [[derived, w.wallet(50n * SOL)]] as const;

    await expectSaid([transfer(friend)], [["withdrawn_to_stranger", derived, friend]], accounts);
    await expectSaid([transfer(user)], [], accounts);
    await expectSaid(
      [transfer(friend, 45n * SOL)],
      [
        ["withdrawn_to_stranger", derived, friend],
        ["majority_of_sol_leaves", user, undefined],
      ],
      accounts,
    );
  });

  test("a withdrawal of most of the user's SOL from a durable nonce is also reported as an outflow", async () => {
    const accounts = [[nonce, nonceAccount(user, 50n * SOL)]] as const;
    const withdraw = system.getWithdrawNonceAccountInstruction({
      nonceAccount: nonce,
      recipientAccount: thief,
      nonceAuthority: signer,
      withdrawAmount: 50n * SOL,
    });

    await expectSaid(
      [withdraw],
      [
        ["withdrawn_to_stranger", nonce, thief],
        ["majority_of_sol_leaves", user, undefined],
      ],
      accounts,
    );
  });
});

describe("closed token accounts", () => {
  const close = (account: Address, destination: Address, owner = user) =>
    token.getCloseAccountInstruction({ account, destination, owner: w.signing(owner) });
  const empties = Array.from({ length: 10 }, (_, i) => w.named(100 + i));
  const accounts = empties.map((address) => [address, w.tokenAccount(mint, user, 0n)] as const);
  const [first = user] = empties;

  test("the rents of many accounts are reported as money, even if the fee payer gets them", async () => {
    const all = empties.map((address) => close(address, friend));

    // The transaction writes no other SOL of the user.
    expect((await said(all, accounts, { payer: friend })).found).toEqual([
      ...empties.map((address) => ["account_closed_to_stranger", address, friend]),
      ["majority_of_sol_leaves", user, undefined],
    ]);
    await expectSaid([close(first, friend)], [], accounts, { payer: friend });
    await expectSaid(
      empties.map((address) => close(address, user)),
      [],
      accounts,
    );
  });

  test("wrapped SOL belongs to the account's owner, even if another address has the right to close the account", async () => {
    const wrapped = w.named(66);
    const account = w.tokenAccount(WRAPPED_SOL as Address, user, 3n * SOL, true);
    const data = Uint8Array.from(account.data);
    data.set([...u32(1), ...keyBytes(thief)], 129);
    const closable = [[wrapped, { ...account, data }]] as const;
    const and = raw(programs.memo, [104], [sign(user)]);

    await expectSaid([close(wrapped, thief, thief), and], [["account_closed_to_stranger", wrapped, thief]], closable);
    await expectSaid([close(wrapped, user, thief), and], [], closable);
  });
});

describe("an account with several owners", () => {
  const shared = w.named(49);
  const send = (source: Address, destination: Address, by: Address = shared) =>
    raw(programs.token, [3, ...u64(5n)], [write(source), write(destination), read(by), sign(user)]);
  const accounts = [
    [shared, v.multisig(1, [user, friend])],
    [w.named(46), w.tokenAccount(mint, shared, 5n)],
    [w.named(47), w.tokenAccount(w.otherMint, shared, 5n)],
  ] as const;

  test("the loss of two tokens of a shared account is reported, and the loss of one is not", async () => {
    const first = send(w.named(46), w.thiefTokens);

    await expectSaid([first], [], accounts);
    await expectSaid(
      [first, send(w.named(47), w.thiefOtherTokens)],
      [["several_assets_leave", shared, undefined]],
      accounts,
    );
  });
});

describe("a closed lookup table", () => {
  const table = w.named(65);
  const close = (to: Address) => raw(programs.addressLookupTable, u32(4), [write(table), sign(user), write(to)]);

  test("the payment of a closed lookup table is reported when it goes to a stranger, even if the transaction fails", async () => {
    const accounts = [[table, v.tableAccount([friend])]] as const;

    expect((await said([close(thief)], accounts)).found).toEqual([["withdrawn_to_stranger", table, thief]]);
    expect((await said([close(user)], accounts)).found).toEqual([]);
  });
});

describe("lockups of a stake", () => {
  const accounts = [[stake, stakeAccount(user)]] as const;
  const far = u64(4_000_000_000n);
  const lockup = (data: readonly number[]) => stakeOf([...u32(6), ...data], write(stake), sign(user));

  test.each([
    ["until a day, with another custodian", [1, ...far, 0, 1, ...keyBytes(thief)], thief],
    ["until an epoch, with another custodian", [0, 1, ...u64(9_999n), 1, ...keyBytes(thief)], thief],
    ["until a day, with nobody as custodian", [1, ...far, 0, 0], SYSTEM],
  ])("SetLockup is reported %s", async (_what, data, custodian) => {
    await expectSaid([lockup(data)], [["stake_lockup_changed", stake, custodian]], accounts);
  });

  test("SetLockupChecked with a signing custodian is reported", async () => {
    const checked = stakeOf([...u32(12), 1, ...far, 0], write(stake), sign(user), sign(thief));

    await expectSaid([checked], [["stake_lockup_changed", stake, thief]], accounts);
  });

  test("a lockup is reported in two steps, and for a stake that the transaction creates", async () => {
    const steps = [lockup([0, 0, 1, ...keyBytes(thief)]), lockup([1, ...far, 0, 0])];
    const made = [...far, ...u64(0n), ...keyBytes(thief)];

    expect((await said(steps, accounts)).found).toContainEqual(["stake_lockup_changed", stake, thief]);
    await expectSaid(
      [create(8n * SOL, 200n, programs.stake), initializeStake(fresh, user, made)],
      [["stake_lockup_changed", fresh, thief]],
    );
  });

  test("the withdrawer's own lockup, an empty lockup, and the kept lockup of a split stake are not reported", async () => {
    await expectSaid([lockup([1, ...far, 0, 1, ...keyBytes(user)])], [], accounts);
    await expectSaid([lockup([1, ...u64(0n), 1, ...u64(0n), 1, ...keyBytes(thief)])], [], accounts);
    const locked = Uint8Array.from(stakeAccount(user).data);
    locked.set([...far, ...u64(0n), ...keyBytes(friend)], 76);
    const split = stakeOf([...u32(3), ...u64(2n * SOL)], write(stake), write(fresh), sign(user));
    await expectSaid(
      [create(v.rent(200n), 200n, programs.stake), split],
      [],
      [[stake, { ...stakeAccount(user), data: locked }]],
    );
  });
});

describe("a vote account's earnings", () => {
  test("a new identity and a new commission of a vote account are reported", async () => {
    const identity = raw(programs.vote, u32(4), [write(voter), sign(thief), sign(user)]);
    const commission = raw(programs.vote, [...u32(5), 100], [write(voter), sign(user)]);
    const same = raw(programs.vote, u32(4), [write(voter), signWrite(user), sign(user)]);

    expect((await said([...newVote(user), identity])).found).toEqual([["vote_account_changed", voter, thief]]);
    expect((await said([...newVote(user), commission])).found).toEqual([["vote_account_changed", voter, undefined]]);
    expect((await said([...newVote(user)])).found).toEqual([]);
    const made = (await said(newVote(user))).simulation.after.get(voter);
    if (made === undefined) throw new Error("no vote account");
    expect((await said([same], [[voter, made]])).found).toEqual([]);
    expect((await said([identity], [[voter, made]])).found).toEqual([["vote_account_changed", voter, thief]]);
  });
});
