/**
 * Rules of a token that its issuer changes for all holders. Each instruction runs. A change that worsens nothing has no
 * finding.
 */
import type { Instruction } from "@solana/kit";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/chains/solana/accounts/account-state.ts";
import { tokenRulesOf } from "../../../../src/chains/solana/accounts/token-rules.ts";
import { keyBytes } from "../../../../src/chains/solana/key.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { callOf } from "../../../fakes/solana/service-double.ts";
import {
  account2022,
  feeConfig,
  memo,
  mint2022,
  multisig,
  pay,
  raw,
  read,
  sign,
  u32,
  u64,
  upgradeable,
  write,
} from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { protocol, said } from "../../../support/solana-said.ts";

const { user, friend, thief } = w;
const rules = w.named(67);
const shared = w.named(49);
const hook = w.named(90);
const protocolCode = upgradeable(protocol, w.named(92), memo);
const zeros = [...new Uint8Array(32)];

type World = readonly (readonly [string, AccountState])[];

/** A token with rules that the user or another given address may change, with a default or a given supply. */
function issued(type: number, value: readonly number[], { who = user, supply = 100n } = {}): World {
  const account = mint2022(type, value);
  account.data.set(u64(supply), 36);
  account.data.set([...u32(1), ...keyBytes(who)], 46);
  return [[rules, account]];
}
const withFee = (rate: number, most: bigint, more = {}, who = user) =>
  issued(1, [...keyBytes(who), ...feeConfig(rate, most).slice(32)], { ...more, who });
const withHook = (program: readonly number[]) => issued(14, [...keyBytes(user), ...program]);
const withState = (state: number) => issued(6, [state]);

const by = (data: readonly number[], ...who: NonNullable<Instruction["accounts"]>) =>
  raw(programs.token2022, data, [write(rules), ...(who.length === 0 ? [sign(user)] : who)]);
const fee = (rate: number, most: bigint) => [26, 5, rate & 0xff, rate >> 8, ...u64(most)];
const hooked = (program: readonly number[]) => [36, 1, ...program];
const atFirst = (state: number) => [28, 1, state];

const higherFee = [["token_transfer_fee", rules, undefined]];
const otherHook = [["token_transfer_hook", rules, undefined]];
const frozen = [["token_default_frozen", rules, undefined]];

describe("changes that worsen a token for its holders", () => {
  test.each([
    ["a higher rate", fee(501, 1_000n), withFee(500, 1_000n), higherFee],
    ["a higher bound", fee(500, 1_001n), withFee(500, 1_000n), higherFee],
    ["a lower rate with a higher bound", fee(1, 1_001n), withFee(500, 1_000n), higherFee],
    ["all of a transfer, where nothing was kept back", fee(10_000, 2n ** 64n - 1n), withFee(0, 0n), higherFee],
    ["a program that every transfer calls", hooked([...keyBytes(hook)]), withHook(zeros), otherHook],
    ["another one", hooked([...keyBytes(hook)]), withHook([...keyBytes(thief)]), otherHook],
    ["new accounts that are frozen", atFirst(2), withState(1), frozen],
  ])("a worse rule is reported: %s", async (_what, data, accounts, expected) => {
    expect(await said([by(data)], accounts)).toMatchObject({ error: undefined, found: expected });
  });

  test("a worse rule is reported once, even if the token itself has the same finding", async () => {
    const accounts: World = [...withFee(500, 1_000n), [w.named(68), account2022(rules, user, 100n)]];
    const touching = raw(
      programs.token2022,
      [12, ...u64(1n), 6],
      [write(w.named(68)), read(rules), write(w.named(68)), sign(user)],
    );
    const { error, found } = await said([by(fee(600, 1_000n)), touching], accounts);

    expect([error, found]).toEqual([undefined, higherFee]);
  });

  test("a worse rule is reported when several keys share the right", async () => {
    const accounts: World = [
      ...withFee(500, 1_000n, {}, shared),
      [shared, { ...multisig(1, [user, friend]), owner: programs.token2022 }],
    ];

    expect(await said([by(fee(600, 1_000n), read(shared), sign(user))], accounts)).toMatchObject({
      error: undefined,
      found: higherFee,
    });
  });

  test("a worse rule is reported in a transaction that fails afterwards", async () => {
    const { error, found } = await said([by(fee(600, 1_000n)), pay(99_000_000_000n)], withFee(500, 1_000n));

    expect([error?.kind, found]).toEqual(["instruction", higherFee]);
  });
});

describe("changes that worsen nothing", () => {
  test.each([
    ["a lower rate", fee(499, 1_000n), withFee(500, 1_000n)],
    ["a lower bound", fee(500, 999n), withFee(500, 1_000n)],
    ["the same fee", fee(500, 1_000n), withFee(500, 1_000n)],
    ["nothing of it, with a higher bound", fee(0, 2n ** 64n - 1n), withFee(500, 1_000n)],
    ["a higher rate of nothing", fee(600, 0n), withFee(500, 0n)],
    ["no program any more", hooked(zeros), withHook([...keyBytes(thief)])],
    ["the same program", hooked([...keyBytes(hook)]), withHook([...keyBytes(hook)])],
    ["new accounts that are not frozen any more", atFirst(1), withState(2)],
    ["new accounts that are frozen as before", atFirst(2), withState(2)],
    ["a higher fee of a token that nobody has", fee(600, 1_000n), withFee(500, 1_000n, { supply: 0n })],
  ])("a change is not reported: %s", async (_what, data, accounts) => {
    expect(await said([by(data)], accounts)).toMatchObject({ error: undefined, found: [] });
  });

  test("a change by an authority that does not sign does not run and is not reported", async () => {
    const accounts = withFee(500, 1_000n, {}, friend);

    const { error, found } = await said([by(fee(600, 1_000n), read(friend))], accounts);

    expect([error?.name, found]).toEqual(["MissingRequiredSignature", []]);
  });

  test.each([
    ["nothing is", []],
    ["only SOL lies", [[rules, w.wallet(2_000_000n)]] satisfies World],
  ])("a change of a token at an address where %s does not run and is not reported", async (_what, accounts) => {
    const { error, found } = await said([by(fee(600, 1_000n))], accounts);

    expect([error?.kind, found]).toEqual(["instruction", []]);
  });

  test("a change that a labelled protocol makes is not reported", async () => {
    const inside = [by(fee(600, 1_000n))];

    const { found } = await said([callOf(protocol, inside)], [...protocolCode, ...withFee(500, 1_000n)], {}, inside);

    expect(found).toEqual([]);
  });
});

test.each([
  [[26, 5, 1]],
  [[26, 5, 1, 0, ...u64(1n).slice(1)]],
  [[28, 1]],
  [[36, 1, ...zeros.slice(1)]],
  [[26, 4]],
  [[28, 0, 2]],
  [[36, 0, ...zeros, ...zeros]],
])("data of another instruction, or truncated data, sets no rule: %j", (data) => {
  expect(tokenRulesOf({ program: programs.token2022, accounts: [rules, user], data: Uint8Array.from(data) })).toEqual(
    [],
  );
});
