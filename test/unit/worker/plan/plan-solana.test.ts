import { base58 } from "@scure/base";
import { AccountRole } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { UPGRADEABLE_LOADER } from "../../../../src/worker/simulation/decoder.ts";
import { serializedLocks } from "../../../../src/worker/simulation/serialized-locks.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import * as w from "../../../fixtures/solana/world.ts";

const chain = findChain("solana");
const planOf = (transaction: unknown, fields: object = {}) =>
  plan(eventOf({ type: "transaction", chain_id: "solana", transaction, ...fields }), defaultPolicy.table, emptyBook);
const pay = getTransferSolInstruction({ source: w.signing(w.user), destination: w.friend, amount: 5n });
const memo = { programAddress: w.named(74), accounts: [], data: new Uint8Array([1]) };
const failure = (check: string, code: string, detail: string) => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 0,
  error: { code, detail },
});

test("a serialized transaction is simulated, and its receivers are compared with the payer and the users", () => {
  const transactions = [{ ...w.serialized([pay]), encoding: "base64" }];

  expect(planOf(w.serialized([pay]), { user_addresses: [w.thief] })).toEqual({
    subject: {
      type: "transaction",
      chain_id: "solana",
      transaction_sha256: sha256(w.messageBytes([pay])),
      user_addresses: [w.user, w.thief],
    },
    requiredChecks: ["poisoning", "solana-simulation"],
    questions: [
      {
        check: "poisoning",
        chain,
        receiversOf: transactions,
        own: [w.thief],
        candidates: [w.friend],
        gainers: [],
        programs: [programs.system],
        signers: [w.user],
        named: [w.user, w.friend, "11111111111111111111111111111111"],
        usesLookupTables: false,
        users: [w.user, w.thief],
      },
      { check: "solana-simulation", chain, transactions, own: [w.thief] },
    ],
    settled: [],
    parties: {
      chain: findChain("solana"),
      addresses: [w.user, w.friend, programs.system],
      packed: [{ bytes: expect.any(Uint8Array) }],
      users: [w.thief],
    },
  });
});

test("an address to which instructions give a right or a token account is named, although it is only read", async () => {
  const signer = w.signing(w.user);
  const gainers = (instruction: Parameters<typeof w.serialized>[0][number]) => {
    const [question] = planOf(w.serialized([instruction])).questions;
    return Reflect.get(Object(question), "gainers");
  };
  const authority = token.getSetAuthorityInstruction({
    owned: w.userTokens,
    owner: signer,
    authorityType: token.AuthorityType.AccountOwner,
    newAuthority: w.thief,
  });
  const associated = await token.getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: signer,
    owner: w.thief,
    mint: w.mint,
  });

  expect(gainers(authority)).toEqual([w.thief]);
  expect(
    gainers(token.getApproveInstruction({ source: w.userTokens, delegate: w.thief, owner: signer, amount: 1n })),
  ).toEqual([w.thief]);
  expect(gainers(associated)).toEqual([w.thief]);
});

test("both questions hold the same list, so that it is simulated once", () => {
  const [poisoning, simulation] = planOf(w.serialized([pay])).questions;

  expect(Reflect.get(Object(poisoning), "receiversOf")).toBe(Reflect.get(Object(simulation), "transactions"));
});

test("a transaction that writes only the signers' accounts is not compared", () => {
  const { requiredChecks, settled, questions } = planOf(w.structured([memo]));

  expect(requiredChecks).toEqual(["solana-simulation"]);
  expect(questions.map(({ check }) => check)).toEqual(["solana-simulation"]);
  expect(settled).toMatchObject([{ check: "poisoning", outcome: "not_applicable" }]);
});

test("a further signer is compared, and a signer that the event names is not", () => {
  const two = getTransferSolInstruction({ source: w.signing(w.user), destination: w.thief, amount: 5n });
  const also = { ...memo, accounts: [{ address: w.thief, role: AccountRole.WRITABLE_SIGNER }] };
  const signed = (fields: object) => planOf(w.structured([two, also]), fields).questions[0];

  expect(signed({})).toMatchObject({ candidates: [], signers: [w.user, w.thief], users: [w.user] });
  expect(signed({ user_addresses: [w.user] })).toMatchObject({ signers: [w.thief], users: [w.user] });
  expect(planOf(w.structured([pay]), { user_addresses: [w.user] }).questions[0]).toMatchObject({ signers: [] });
  expect(planOf(w.structured([pay])).questions[0]).toMatchObject({ signers: [] });
});

test.each([
  [{ transaction: "AQ==" }, "ends after 1 bytes, in the middle of a field"],
  [{}, "transaction: field required"],
  [[w.structured([pay]), { transaction: "%" }], "[1]: not valid base64"],
  [{ ...w.structured([pay]), feePayer: "x" }, "feePayer: must have 32 to 44 characters, has 1"],
])("a value that is no transaction fails every check: %#", (transaction, detail) => {
  const { requiredChecks, settled, questions } = planOf(transaction);

  expect([requiredChecks, questions]).toEqual([["poisoning", "solana-simulation"], []]);
  expect(settled).toEqual(requiredChecks.map((check) => failure(check, "EVENT_MALFORMED", `transaction: ${detail}`)));
});

test("an invalid user address fails only the comparison", () => {
  const { settled, questions } = planOf(w.serialized([pay]), { user_addresses: ["b"] });

  expect(settled).toEqual([]);
  expect(questions.map(({ check }) => check)).toEqual(["poisoning", "solana-simulation"]);
  expect(questions[0]).toMatchObject({
    users: [w.user],
    omits: { code: "USER_ADDRESS_INVALID", detail: "user_addresses[0]: must have 32 to 44 characters, has 1" },
  });
});

test("the locks of a serialized transaction are the locks of its message", () => {
  const locks = { feePayer: w.user, usesLookupTables: false, callsUpgradeableLoader: false };
  const system = "11111111111111111111111111111111";

  expect(serializedLocks.locksOf({ ...w.serialized([pay]), encoding: "base64" })).toEqual({
    ...locks,
    writable: [w.user, w.friend],
    named: [w.user, w.friend, system],
  });
  const table = w.named(50);
  expect(
    serializedLocks.locksOf({ ...w.serialized([pay], { tables: { [table]: [w.friend] } }), encoding: "base64" }),
  ).toEqual({ ...locks, writable: [w.user], named: [w.user, system, table], usesLookupTables: true });
  const upgrade = { ...memo, programAddress: UPGRADEABLE_LOADER as typeof w.user };
  expect(serializedLocks.locksOf({ ...w.serialized([upgrade]), encoding: "base64" })).toMatchObject({
    callsUpgradeableLoader: true,
  });
  expect(serializedLocks.locksOf({ transaction: "AQ==", encoding: "base64" })).toBeUndefined();
});

test("a call of a program that imitates the system is compared, although no account of others is written", () => {
  const mimic = "ComputeBudgetEqSP1oUBXq5fwsQYUBEjGWBX7111111";
  const call = { programId: mimic, keys: [{ pubkey: w.user, isSigner: true, isWritable: true }], data: "AgA=" };
  const checksOf = (instructions: readonly object[], fields: object = {}) =>
    planOf({ feePayer: w.user, instructions }, fields).questions.map(({ check }) => check);

  expect(checksOf([call])).toEqual(["poisoning", "solana-simulation"]);
  expect(checksOf([call], { user_addresses: [mimic, w.user] })).toEqual(["solana-simulation"]);
  const payer = { pubkey: w.user, isSigner: true, isWritable: true };
  const made = (...hex: readonly string[]) => ({
    programId: programs.system,
    keys: [payer],
    data: Buffer.from(hex.join(""), "hex").toString("base64"),
  });
  const key = Buffer.from(base58.decode(mimic)).toString("hex");
  const number = "0500000000000000";
  const seed = ["01".repeat(32), "0200000000000000", "6161"].join("");
  expect(checksOf([made("00000000", number, number, key)])).toEqual(["poisoning", "solana-simulation"]);
  expect(checksOf([made("03000000", seed, number, number, key)])).toEqual(["poisoning", "solana-simulation"]);
  expect(checksOf([made("01000000", key)])).toEqual(["poisoning", "solana-simulation"]);
  expect(checksOf([made("00000000", number, number, key.slice(2))])).toEqual(["solana-simulation"]);
  expect(checksOf([made("02000000", number, number, key)])).toEqual(["solana-simulation"]);
  expect(checksOf([{ ...call, programId: programs.computeBudget }])).toEqual(["solana-simulation"]);
});
