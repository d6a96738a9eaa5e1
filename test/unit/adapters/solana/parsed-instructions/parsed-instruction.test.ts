/**
 * Nodes return inner instructions in a parsed form. An instruction that changes an authority must mean the same in
 * parsed form and in its bytes. The parsed forms are those of Agave's transaction-status. The bytes are those of the
 * client packages, or of the program's definition.
 */
import { createHash } from "node:crypto";
import { type Address, type Instruction, none, some } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { expect, test } from "vitest";
import { instructionOf } from "../../../../../src/adapters/solana/parsed-instructions/parsed-instruction.ts";
import { tokenRulesOf } from "../../../../../src/chains/solana/accounts/token-rules.ts";
import { actsOf } from "../../../../../src/chains/solana/acts/acts-of.ts";
import { tokenUsesOf } from "../../../../../src/chains/solana/acts/token-uses.ts";
import { keyBytes } from "../../../../../src/chains/solana/key.ts";
import { isReadInstruction } from "../../../../../src/chains/solana/message/read-instructions.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { CLOCK, raw, read, sign, u32, u64, write } from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";

const { user, thief, friend, userTokens, mint } = w;
const signer = w.signing(user);
const program = w.named(70);
const seed = [...u64(1n), 115, ...keyBytes(programs.system)];
const authority = (authorityType: token.AuthorityType, to?: Address, owned: Address = userTokens) =>
  token.getSetAuthorityInstruction({
    owned,
    owner: signer,
    authorityType,
    newAuthority: to === undefined ? none() : some(to),
  });
const discriminator = (name: string) => [...createHash("sha256").update(name).digest().subarray(0, 8)];
const withSeed = { baseAccount: signer, base: user, seed: "s", programAddress: program };

const stories: readonly (readonly [string, Instruction, object])[] = [
  [
    "assign",
    system.getAssignInstruction({ account: signer, programAddress: program }),
    { account: user, owner: program },
  ],
  [
    "assignWithSeed",
    system.getAssignWithSeedInstruction({ account: friend, ...withSeed }),
    { account: friend, base: user, seed: "s", owner: program },
  ],
  [
    "allocateWithSeed",
    system.getAllocateWithSeedInstruction({ newAccount: friend, space: 5n, ...withSeed }),
    { account: friend, base: user, seed: "s", space: 5, owner: program },
  ],
  [
    "createAccountAllowPrefund",
    system.getCreateAccountAllowPrefundInstruction({
      newAccount: signer,
      lamports: 0n,
      space: 5n,
      programAddress: program,
    }),
    { newAccount: user, space: 5, owner: program },
  ],
  [
    "authorizeNonce",
    system.getAuthorizeNonceAccountInstruction({
      nonceAccount: friend,
      nonceAuthority: signer,
      newNonceAuthority: thief,
    }),
    { nonceAccount: friend, nonceAuthority: user, newAuthorized: thief },
  ],
  ["allocate", system.getAllocateInstruction({ newAccount: signer, space: 80n }), { account: user, space: 80 }],
  [
    "initializeNonce",
    system.getInitializeNonceAccountInstruction({ nonceAccount: friend, nonceAuthority: thief }),
    { nonceAccount: friend, nonceAuthority: thief },
  ],
  [
    "withdrawFromNonce",
    system.getWithdrawNonceAccountInstruction({
      nonceAccount: friend,
      recipientAccount: thief,
      nonceAuthority: signer,
      withdrawAmount: 5n,
    }),
    { nonceAccount: friend, destination: thief, nonceAuthority: user, lamports: 5 },
  ],
  [
    "transferWithSeed",
    system.getTransferSolWithSeedInstruction({
      source: friend,
      baseAccount: signer,
      destination: thief,
      amount: 5n,
      fromSeed: "s",
      fromOwner: program,
    }),
    { source: friend, sourceBase: user, destination: thief, lamports: 5, sourceSeed: "s", sourceOwner: program },
  ],
  [
    "approve",
    token.getApproveInstruction({ source: userTokens, delegate: thief, owner: signer, amount: 2n ** 64n - 1n }),
    { source: userTokens, delegate: thief, owner: user, amount: "18446744073709551615" },
  ],
  [
    "approveChecked",
    token.getApproveCheckedInstruction({
      source: userTokens,
      mint,
      delegate: thief,
      owner: signer,
      amount: 5n,
      decimals: 6,
    }),
    { source: userTokens, mint, delegate: thief, owner: user, tokenAmount: { amount: "5", decimals: 6 } },
  ],
  [
    "setAuthority",
    authority(token.AuthorityType.AccountOwner, thief),
    { account: userTokens, authorityType: "accountOwner", newAuthority: thief, authority: user },
  ],
  [
    "setAuthority",
    authority(token.AuthorityType.CloseAccount, thief),
    { account: userTokens, authorityType: "closeAccount", newAuthority: thief, authority: user },
  ],
  [
    "setAuthority",
    authority(token.AuthorityType.FreezeAccount, undefined, mint),
    { mint, authorityType: "freezeAccount", newAuthority: null, authority: user },
  ],
  [
    "setAuthority",
    raw(programs.token2022, [6, 8, 1, ...keyBytes(thief)], [write(mint), sign(user)]),
    { mint, authorityType: "permanentDelegate", newAuthority: thief, authority: user },
  ],
  [
    "closeAccount",
    token.getCloseAccountInstruction({ account: userTokens, destination: thief, owner: signer }),
    { account: userTokens, destination: thief, owner: user },
  ],
  [
    "withdraw",
    raw(programs.stake, [...u32(4), ...u64(5n)], [write(friend), write(thief), sign(user)]),
    { stakeAccount: friend, destination: thief, withdrawAuthority: user, lamports: 5 },
  ],
  [
    "setLockup",
    raw(programs.stake, [...u32(6), 1, ...u64(9n), 0, 1, ...keyBytes(thief)], [write(friend), sign(user)]),
    { stakeAccount: friend, custodian: user, lockup: { unixTimestamp: 9, custodian: thief } },
  ],
  [
    "setLockupChecked",
    raw(programs.stake, [...u32(12), 0, 1, ...u64(9n)], [write(friend), sign(user), sign(thief)]),
    { stakeAccount: friend, custodian: user, lockup: { epoch: 9, custodian: thief } },
  ],
  [
    "authorize",
    raw(programs.stake, [...u32(1), ...keyBytes(thief), ...u32(1)], [write(friend), sign(user)]),
    { stakeAccount: friend, newAuthority: thief, authorityType: "Withdrawer", authority: user },
  ],
  [
    "authorizeWithSeed",
    raw(programs.stake, [...u32(8), ...keyBytes(thief), ...u32(0), ...seed], [write(friend), sign(user)]),
    { stakeAccount: friend, authorityBase: user, newAuthorized: thief, authorityType: "Staker" },
  ],
  [
    "authorizeChecked",
    raw(programs.stake, [...u32(10), ...u32(1)], [write(friend), sign(user), sign(thief)]),
    { stakeAccount: friend, authority: user, newAuthority: thief, authorityType: "Withdrawer" },
  ],
  [
    "authorizeCheckedWithSeed",
    raw(programs.stake, [...u32(11), ...u32(0), ...seed], [write(friend), sign(user), sign(thief)]),
    { stakeAccount: friend, authorityBase: user, newAuthorized: thief, authorityType: "Staker" },
  ],
  [
    "withdraw",
    raw(programs.vote, [...u32(3), ...u64(5n)], [write(friend), write(thief), sign(user)]),
    { voteAccount: friend, destination: thief, withdrawAuthority: user, lamports: 5 },
  ],
  [
    "updateValidatorIdentity",
    raw(programs.vote, u32(4), [write(friend), sign(thief), sign(user)]),
    { voteAccount: friend, newValidatorIdentity: thief, withdrawAuthority: user },
  ],
  [
    "updateCommission",
    raw(programs.vote, [...u32(5), 100], [write(friend), sign(user)]),
    { voteAccount: friend, withdrawAuthority: user, commission: 100 },
  ],
  [
    "authorize",
    raw(programs.vote, [...u32(1), ...keyBytes(thief), ...u32(1)], [write(friend), read(CLOCK), sign(user)]),
    {
      voteAccount: friend,
      clockSysvar: CLOCK,
      authority: user,
      newAuthority: thief,
      authorityType: "Withdrawer",
    },
  ],
  [
    "authorizeChecked",
    raw(programs.vote, [...u32(7), ...u32(0)], [write(friend), read(CLOCK), sign(user), sign(thief)]),
    { voteAccount: friend, clockSysvar: CLOCK, authority: user, newAuthority: thief, authorityType: "Voter" },
  ],
  [
    "authorizeWithSeed",
    raw(
      programs.vote,
      [...u32(10), ...u32(1), ...keyBytes(programs.system), ...u64(1n), 115, ...keyBytes(thief)],
      [write(friend), read(CLOCK), sign(user)],
    ),
    {
      voteAccount: friend,
      clockSysvar: CLOCK,
      authorityBaseKey: user,
      authorityOwner: programs.system,
      authoritySeed: "s",
      newAuthority: thief,
      authorityType: "Withdrawer",
    },
  ],
  [
    "authorizeCheckedWithSeed",
    raw(
      programs.vote,
      [...u32(11), ...u32(1), ...keyBytes(programs.system), ...u64(1n), 115],
      [write(friend), read(CLOCK), sign(user), sign(thief)],
    ),
    {
      voteAccount: friend,
      clockSysvar: CLOCK,
      authorityBaseKey: user,
      authorityOwner: programs.system,
      authoritySeed: "s",
      newAuthority: thief,
      authorityType: "Withdrawer",
    },
  ],
  [
    "updateCommissionCollector",
    raw(programs.vote, [...u32(17), 0], [write(friend), write(thief), sign(user)]),
    { voteAccount: friend, newCollector: thief, withdrawAuthority: user, commissionKind: "InflationRewards" },
  ],
  [
    "updateCommissionBps",
    raw(programs.vote, [...u32(18), 16, 39, 0], [write(friend), sign(user)]),
    { voteAccount: friend, withdrawAuthority: user, commissionBps: 10_000, commissionKind: "InflationRewards" },
  ],
  [
    "closeLookupTable",
    raw(programs.addressLookupTable, u32(4), [write(friend), sign(user), write(thief)]),
    { lookupTableAccount: friend, lookupTableAuthority: user, recipient: thief },
  ],
  [
    "updateTokenMetadataAuthority",
    raw(
      programs.token2022,
      [...discriminator("spl_token_metadata_interface:update_the_authority"), ...keyBytes(thief)],
      [write(mint), sign(user)],
    ),
    { metadata: mint, updateAuthority: user, newAuthority: thief },
  ],
  [
    "updateTokenMetadataAuthority",
    raw(
      programs.token2022,
      [...discriminator("spl_token_metadata_interface:update_the_authority"), ...new Uint8Array(32)],
      [write(mint), sign(user)],
    ),
    { metadata: mint, updateAuthority: user, newAuthority: null },
  ],
  [
    "updateTokenGroupAuthority",
    raw(
      programs.token2022,
      [...discriminator("spl_token_group_interface:update_authority"), ...keyBytes(thief)],
      [write(mint), sign(user)],
    ),
    { group: mint, updateAuthority: user, newAuthority: thief },
  ],
  [
    "withdrawExcessLamports",
    raw(programs.token2022, [38], [write(friend), write(thief), sign(user)]),
    { source: friend, destination: thief, authority: user },
  ],
  [
    "upgrade",
    raw(programs.upgradeableLoader, u32(3), [write(friend), write(program)]),
    { programDataAccount: friend, programAccount: program, authority: user },
  ],
  [
    "setAuthority",
    raw(programs.upgradeableLoader, u32(4), [write(friend), sign(user), read(thief)]),
    { account: friend, authority: user, newAuthority: thief },
  ],
  [
    "setAuthority",
    raw(programs.upgradeableLoader, u32(4), [write(friend), sign(user)]),
    { account: friend, authority: user, newAuthority: null },
  ],
  [
    "setAuthorityChecked",
    raw(programs.upgradeableLoader, u32(7), [write(friend), sign(user), sign(thief)]),
    { account: friend, authority: user, newAuthority: thief },
  ],
  [
    "close",
    raw(programs.upgradeableLoader, u32(5), [write(friend), write(thief), sign(user)]),
    { account: friend, recipient: thief, authority: user, programAccount: null },
  ],
];

test.each(stories)("the parsed %s equals its bytes", (type, { programAddress, accounts = [], data }, info) => {
  const told = instructionOf(programAddress, { type, info });
  const acts = actsOf({
    program: programAddress,
    accounts: accounts.map(({ address }) => address),
    data: Uint8Array.from(data ?? []),
  });

  expect(acts).toHaveLength(type === "allocateWithSeed" || type === "createAccountAllowPrefund" ? 2 : 1);
  expect(actsOf({ program: programAddress, ...told })).toEqual(acts);
});

test("the signers of a multisig owner are included", () => {
  const info = { source: userTokens, delegate: thief, multisigOwner: friend, signers: [user], amount: "5" };

  expect(instructionOf(programs.token, { type: "approve", info }).accounts).toEqual([userTokens, thief, friend, user]);
});

test("a batch means the same as its instructions", () => {
  const instructions = [
    { type: "initializeAccount3", info: { account: friend, mint, owner: user } },
    { type: "approve", info: { source: userTokens, delegate: thief, owner: user, amount: "5" } },
    { type: "transfer", info: { source: userTokens, destination: friend, authority: user, amount: "5" } },
    { type: "closeAccount", info: { account: userTokens, destination: thief, multisigOwner: friend, signers: [user] } },
  ];

  const told = instructionOf(programs.token, { type: "batch", info: { instructions } });

  expect(actsOf({ program: programs.token, ...told })).toEqual([
    { kind: "approve", account: userTokens, authority: user, to: thief, amount: 5n },
    { kind: "close", of: "tokens", account: userTokens, authority: friend, to: thief },
  ]);
  expect(isReadInstruction({ program: programs.token, ...told })).toBe(true);
});

test.each([{}, { instructions: null }, { instructions: [{ type: "approve", info: {} }] }])(
  "a batch without a required field makes the answer unreadable: %j",
  (info) => {
    expect(() => instructionOf(programs.token, { type: "batch", info })).toThrow(UnavailableError);
  },
);

test.each([
  ["confidentialTransfer", 27],
  ["confidentialTransferWithFee", 27],
  ["depositConfidentialTransfer", 27],
  ["initializeConfidentialTransferMint", 27],
  ["initializeConfidentialTransferFeeConfig", 37],
  ["withdrawWithheldConfidentialTransferTokensFromMint", 37],
  ["harvestWithheldConfidentialTransferTokensToMint", 37],
  ["enableConfidentialTransferFeeHarvestToMint", 37],
  ["confidentialMint", 42],
  ["confidentialBurn", 42],
  ["rotateConfidentialMintBurnSupplyElGamalPubkey", 42],
])("%s, which hides amounts, stays an unknown instruction, in a batch, too", (type, number) => {
  const story = { type, info: { source: userTokens } };
  const alone = instructionOf(programs.token2022, story);
  const inBatch = instructionOf(programs.token2022, { type: "batch", info: { instructions: [story] } });

  expect(alone.data).toEqual(Uint8Array.of(number));
  for (const told of [alone, inBatch]) {
    expect(isReadInstruction({ program: programs.token2022, ...told })).toBe(false);
  }
});

const burning = { account: userTokens, mint };
const permitted = { ...burning, permissionedBurnAuthority: thief };
const checked = { tokenAmount: { amount: "5", decimals: 6 } };
test.each([
  ["transfer", { source: userTokens, destination: thief }, {}, [3], "Authority"],
  ["transferChecked", { source: userTokens, mint, destination: thief }, checked, [12], "Authority"],
  ["transferCheckedWithFee", { source: userTokens, mint, destination: thief }, checked, [26, 1], "Authority"],
  ["unwrapLamports", { source: userTokens, destination: thief }, {}, [45], "Authority"],
  ["mintTo", { mint, account: userTokens }, { amount: "5" }, [7], "MintAuthority"],
  ["mintToChecked", { mint, account: userTokens }, checked, [14], "MintAuthority"],
  ["withdrawWithheldTokensFromMint", { mint, feeRecipient: thief }, {}, [26, 2], "WithdrawWithheldAuthority"],
  [
    "withdrawWithheldTokensFromAccounts",
    { mint, feeRecipient: thief },
    { sourceAccounts: [userTokens] },
    [26, 3],
    "WithdrawWithheldAuthority",
  ],
  ["freezeAccount", { account: userTokens, mint }, {}, [10], "FreezeAuthority"],
  ["pause", { mint }, {}, [44, 1], "Authority"],
  ["burn", burning, { amount: "5" }, [8, ...u64(5n)], "Authority"],
  ["burnChecked", burning, checked, [15, ...u64(5n)], "Authority"],
  ["permissionedBurn", permitted, { amount: "5" }, [46, 1, ...u64(5n)], "Authority"],
  ["permissionedBurnChecked", permitted, checked, [46, 2, ...u64(5n)], "Authority"],
] as const)("%s names its authority, and the signers of a multisig authority", (type, accounts, more, bytes, right) => {
  const one = right.slice(0, 1).toLowerCase() + right.slice(1);
  const told = (info: object) => instructionOf(programs.token2022, { type, info: { ...accounts, ...more, ...info } });
  const named = Object.values(accounts);
  const data = Uint8Array.from(bytes);

  expect(told({ [one]: user })).toEqual({ accounts: [...named, user], data });
  expect(told({ [`multisig${right}`]: friend, signers: [user] })).toEqual({ accounts: [...named, friend, user], data });
  expect(tokenUsesOf({ program: programs.token2022, ...told({ [one]: user }) })).toHaveLength(1);
  expect(() => told({})).toThrow(UnavailableError);
});

test.each([
  [
    "setTransferFee",
    { transferFeeBasisPoints: 300, maximumFee: 5n },
    [26, 5, 44, 1, ...u64(5n)],
    ["transferFeeConfigAuthority", "multisigtransferFeeConfigAuthority"],
  ],
  ["updateDefaultAccountState", { accountState: "frozen" }, [28, 1, 2], ["freezeAuthority", "multisigFreezeAuthority"]],
  [
    "updateDefaultAccountState",
    { accountState: "initialized" },
    [28, 1, 1],
    ["freezeAuthority", "multisigFreezeAuthority"],
  ],
  [
    "updateDefaultAccountState",
    { accountState: "thawing" },
    [28, 1, 2],
    ["freezeAuthority", "multisigFreezeAuthority"],
  ],
  ["updateTransferHook", { programId: thief }, [36, 1, ...keyBytes(thief)], ["authority", "multisigAuthority"]],
  ["updateTransferHook", {}, [36, 1, ...new Uint8Array(32)], ["authority", "multisigAuthority"]],
] as const)("%s with %o is a rule for a token", (type, value, bytes, [one, several]) => {
  const told = (info: object) => instructionOf(programs.token2022, { type, info: { mint, ...value, ...info } });
  const data = Uint8Array.from(bytes);

  expect(told({ [one]: user })).toEqual({ accounts: [mint, user], data });
  expect(told({ [several]: friend, signers: [user] })).toEqual({ accounts: [mint, friend, user], data });
  expect(tokenRulesOf({ program: programs.token2022, ...told({ [one]: user }) })).toHaveLength(1);
  expect(() => told({})).toThrow(UnavailableError);
  for (const name of Object.keys(value).filter((each) => each !== "programId"))
    expect(() => told({ [one]: user, [name]: undefined })).toThrow(UnavailableError);
});

const nothing = { accounts: [], data: new Uint8Array() };

test("a parsed instruction of an unknown program, or a memo, is reduced to its program", () => {
  expect(instructionOf(programs.memo, "a memo")).toEqual(nothing);
  expect(instructionOf(w.named(70), { type: "anything", info: {} })).toEqual(nothing);
});

test.each([
  [programs.system, "transfer"],
  [programs.stake, "deactivateDelinquent"],
  [programs.vote, "towersync"],
  [programs.upgradeableLoader, "extendProgramChecked"],
  [programs.loader, "finalize"],
  [programs.addressLookupTable, "extendLookupTable"],
  [programs.associatedToken, "createIdempotent"],
  [programs.token, "syncNative"],
  [programs.token2022, "updateMultiplier"],
])("%s %s has no relevant content", (address, type) => {
  expect(instructionOf(address, { type, info: {} })).toEqual(nothing);
});

test.each([...Object.values(programs).filter((address) => address !== programs.memo && address !== programs.oldMemo)])(
  "an unknown type of %s is reported, whatever other fields it has",
  (address) => {
    for (const type of ["moveEverything", "toString", "__proto__"]) {
      expect(instructionOf(address, { type, info: { account: user } })).toEqual({ ...nothing, unread: type });
    }
    expect(instructionOf(address, { type: "x".repeat(5_000), info: {} }).unread).toBe("x".repeat(64));
    for (const parsed of [{}, { type: 5 }, "transfer", null]) {
      expect(() => instructionOf(address, parsed)).toThrow(UnavailableError);
    }
  },
);

test("a type of another program is unknown in this one", () => {
  expect(instructionOf(programs.system, { type: "approve", info: {} }).unread).toBe("approve");
  expect(instructionOf(programs.addressLookupTable, { type: "close", info: {} }).unread).toBe("close");
});

test("a batch with an unknown instruction is unknown, and its other instructions are read", () => {
  const instructions = [
    { type: "syncNative", info: {} },
    { type: "approve", info: { source: userTokens, delegate: thief, owner: user, amount: "5" } },
    { type: "moveEverything", info: {} },
  ];

  const told = instructionOf(programs.token, { type: "batch", info: { instructions } });

  expect(told.unread).toBe("moveEverything");
  expect(actsOf({ program: programs.token, ...told })).toEqual([
    { kind: "approve", account: userTokens, authority: user, to: thief, amount: 5n },
  ]);
});

test.each([[{ account: user }], [{ account: user, owner: "nobody" }], [null]])(
  "a parsed instruction without a required field makes the answer unreadable: %j",
  (info) => {
    expect(() => instructionOf(programs.system, { type: "assign", info })).toThrow(UnavailableError);
  },
);
