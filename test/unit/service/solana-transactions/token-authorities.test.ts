/**
 * Every right over tokens that SetAuthority hands over, by the numbers of the programs' own AuthorityType. Each
 * instruction runs, and the account shows that the program changed the intended right. Source: Token-2022,
 * AuthorityType and ExtensionType with the layout of each.
 */
import type { Address } from "@solana/kit";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { keyBytes, keyText } from "../../../../src/chains/solana/key.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { mint2022, raw, sign, u32, write } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { said } from "../../../support/solana-said.ts";

const { user, thief, mint } = w;
const token2022 = w.named(67);
const tokens2022 = w.named(68);
const key = [...keyBytes(user)];
const nothing = (bytes: number) => [...new Uint8Array(bytes)];
/** Offset of an extension's value: behind the base, the account's kind, its own type and length. */
const VALUE_AT = 170;
const FREEZE_AUTHORITY_AT = 50;

function frozenBy(owner: string, who: Address): AccountState {
  const account = w.mintAccount(6, { authority: user });
  account.data.set([...u32(1), ...keyBytes(who)], FREEZE_AUTHORITY_AT - 4);
  return { ...account, owner };
}
const tokensOf = (program: string, of: Address): AccountState => ({
  ...w.tokenAccount(of, user, 5n),
  owner: program,
});
const give = (program: string, account: string, type: number, to: Address | undefined) =>
  raw(program, [6, type, ...(to === undefined ? [0] : [1, ...keyBytes(to)])], [write(account), sign(user)]);

const base = ["token", "token2022"] as const;
const shared = [
  ["MintTokens", 0, "token_authority_changed", 4],
  ["FreezeAccount", 1, "token_authority_changed", FREEZE_AUTHORITY_AT],
  ["AccountOwner", 2, "token_owner_changed", 32],
  ["CloseAccount", 3, "token_close_authority_changed", 133],
] as const;

describe.each(base)("the rights of %s", (name) => {
  const program = programs[name];

  test.each(shared)("the right %s (%i) is reported as %s", async (_right, type, finding, at) => {
    const of = name === "token" ? mint : token2022;
    const account = type < 2 ? of : tokens2022;
    const accounts = [
      [of, frozenBy(program, user)],
      [tokens2022, tokensOf(program, of)],
    ] as const;

    const { error, found, simulation } = await said([give(program, account, type, thief)], accounts);

    expect([error, found]).toEqual([undefined, [[finding, account, thief]]]);
    expect(keyText((simulation.after.get(account)?.data ?? new Uint8Array()).subarray(at, at + 32))).toBe(thief);
  });
});

test("the client package has the same numbers", () => {
  expect(shared.map(([right, type]) => token.AuthorityType[right] === type)).toEqual([true, true, true, true]);
});

/** The right, its number, its extension, the value with the user's key, and the offset of the key in the value. */
const extensions = [
  ["TransferFeeConfig", 4, 1, [...key, ...key, ...nothing(44)], 0],
  ["WithheldWithdraw", 5, 1, [...key, ...key, ...nothing(44)], 32],
  ["CloseMint", 6, 3, key, 0],
  ["InterestRate", 7, 10, [...key, ...nothing(20)], 0],
  ["PermanentDelegate", 8, 12, key, 0],
  ["ConfidentialTransferMint", 9, 4, [...key, ...nothing(33)], 0],
  ["TransferHookProgramId", 10, 14, [...key, ...nothing(32)], 0],
  ["ConfidentialTransferFeeConfig", 11, 16, [...key, ...nothing(97)], 0],
  ["MetadataPointer", 12, 18, [...key, ...nothing(32)], 0],
  ["GroupPointer", 13, 20, [...key, ...nothing(32)], 0],
  ["GroupMemberPointer", 14, 22, [...key, ...nothing(32)], 0],
  ["ScaledUiAmount", 15, 25, [...key, ...nothing(24)], 0],
  ["Pause", 16, 26, [...key, 0], 0],
  ["PermissionedBurn", 17, 28, key, 0],
] as const;

describe("the rights of Token-2022's extensions", () => {
  test.each(extensions)("the right %s (%i) is reported", async (_right, type, extension, value, at) => {
    const accounts = [[token2022, mint2022(extension, value)]] as const;
    const keyAfter = ({ after }: Awaited<ReturnType<typeof said>>["simulation"]) =>
      keyText((after.get(token2022)?.data ?? new Uint8Array()).subarray(VALUE_AT + at, VALUE_AT + at + 32));

    const { error, found, simulation } = await said([give(programs.token2022, token2022, type, thief)], accounts);
    const givenUp = await said([give(programs.token2022, token2022, type, undefined)], accounts);
    const kept = await said([give(programs.token2022, token2022, type, user)], accounts);

    expect([error, found]).toEqual([undefined, [["token_authority_changed", token2022, thief]]]);
    expect(keyAfter(simulation)).toBe(thief);
    expect([givenUp.error, givenUp.found, kept.error, kept.found]).toEqual([undefined, [], undefined, []]);
  });

  test("an authority type that the program does not have yet is reported as well", async () => {
    const { error, found } = await said(
      [give(programs.token2022, token2022, 18, thief)],
      [[token2022, mint2022(3, key)]],
    );

    expect(error).toEqual({ kind: "instruction", index: 0, name: "Custom", code: 12 });
    expect(found).toEqual([["token_authority_changed", token2022, thief]]);
  });
});
