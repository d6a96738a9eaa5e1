/** Accounts with SOL that still belongs to the signers. */
import * as system from "@solana-program/system";
import { expect, test } from "vitest";
import { keyBytes } from "../../../../../src/chains/solana/key.ts";
import { instructionsOf } from "../../../../../src/chains/solana/message/instructions-of.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { NATIVE } from "../../../../../src/chains/solana/rules/token-changes.ts";
import { ownAccounts } from "../../../../../src/worker/decide/solana-judge/own-accounts.ts";
import { readMessage } from "../../../../../src/worker/plan/reading/solana-reading.ts";
import * as v from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";

const { user, friend, thief } = w;
const stake = w.named(59);
const changes = [
  {
    mint: NATIVE,
    decimals: 9,
    changes: [
      { holder: user, begin: 9n, end: 1n },
      { holder: friend, begin: 0n, end: 8n },
    ],
  },
];

function own(instructions: Parameters<typeof w.serialized>[0], called: readonly string[] = []) {
  const message = readMessage({ ...w.serialized(instructions), encoding: "base64" });
  if (!message.ok) throw new Error("no message");
  return [...ownAccounts(instructionsOf(message.value), [user], called, changes)];
}

const initialize = (staker: typeof user, withdrawer: typeof user) =>
  v.raw(programs.stake, [...v.u32(0), ...keyBytes(staker), ...keyBytes(withdrawer)], [v.write(stake), v.read(thief)]);
const checked = (withdrawer: typeof user) =>
  v.raw(programs.stake, [...v.u32(9)], [v.write(stake), v.read(thief), v.read(thief), v.read(withdrawer)]);

test.each([
  ["a stake that a signer may withdraw", [initialize(thief, user)], [stake]],
  ["a stake that another may withdraw", [initialize(user, thief)], []],
  ["a stake that is cut short", [v.raw(programs.stake, [...v.u32(0), 1], [v.write(stake), v.read(user)])], []],
  ["no number at all", [v.raw(programs.stake, [0], [v.write(stake), v.read(user)])], []],
  ["a stake whose withdrawer signs", [checked(user)], [stake]],
  ["a stake whose withdrawer is another", [checked(thief)], []],
  [
    "another number",
    [v.raw(programs.stake, [...v.u32(2)], [v.write(stake), v.read(user), v.read(user), v.read(user)])],
    [],
  ],
  ["a nonce", [system.getInitializeNonceAccountInstruction({ nonceAccount: stake, nonceAuthority: user })], [stake]],
  [
    "a nonce of another",
    [system.getInitializeNonceAccountInstruction({ nonceAccount: stake, nonceAuthority: thief })],
    [],
  ],
  ["a payment", [v.pay(5n)], []],
])("%s", (_what, instructions, accounts) => {
  expect(own(instructions)).toEqual(accounts);
});

test("if stakes are made inside another program, every account that gains may be a stake", () => {
  expect(own([v.raw(w.named(70), [7])], [w.named(70), programs.stake])).toEqual([friend]);
  expect(own([v.raw(w.named(70), [7])], [w.named(70)])).toEqual([]);
  expect(own([checked(thief)], [programs.stake])).toEqual([]);
});
