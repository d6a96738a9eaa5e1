import { describe, expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import type { ClaimedBytes } from "../../../../src/chains/tron/message/integrity.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { tronVector } from "../../../support/tron-vectors.ts";

const tron = findChain("tron");
const owner = "TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA";
const other = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const third = "TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn";

const planOf = (transaction: unknown, fields: object = {}) =>
  plan(eventOf({ type: "transaction", chain_id: "tron", transaction, ...fields }), defaultPolicy.table, emptyBook);
const integrity = (data: object) => ({ check: "tron-integrity", outcome: "ok", cached: false, attempts: 0, data });
const failure = (check: string, code: string, detail: string) => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 0,
  error: { code, detail },
});

/** The transaction with another member in its first contract. */
const withContract = (transaction: ClaimedBytes, members: object) => ({
  ...transaction,
  raw_data: { ...transaction.raw_data, contract: [{ ...transaction.raw_data.contract[0], ...members }] },
});

test("a transfer compares its recipient, asks what it does, and checks its bytes in the worker", () => {
  const transaction = tronVector("sendTrx");

  expect(planOf(transaction, { user_addresses: [third, owner], dapp_url: "https://example.org" })).toEqual({
    subject: {
      type: "transaction",
      chain_id: "tron",
      transaction_sha256: transaction.txID,
      user_addresses: [owner, third],
      address: other,
    },
    requiredChecks: ["poisoning", "tron-security", "tron-integrity"],
    questions: [
      { check: "poisoning", chain: tron, target: other, users: [owner, third], token: undefined },
      { check: "tron-security", chain: tron, transaction, dappUrl: "https://example.org" },
    ],
    settled: [integrity({ integrity: "equal", txid: transaction.txID })],
    parties: { chain: tron, addresses: [owner, other], packed: [], users: [third, owner] },
  });
});

describe("the compared address", () => {
  test.each([
    ["sendToken", other, undefined],
    ["purchaseToken", other, undefined],
    ["createAccount", other, undefined],
    ["delegateResource", other, undefined],
    ["freezeBalance", other, undefined],
    ["triggerSmartContract transfer", third, other],
    ["triggerSmartContract transferFrom", third, other],
    ["triggerSmartContract approve everything", third, other],
    ["triggerSmartContract increaseApproval", third, other],
    ["triggerSmartContract increaseAllowance", third, other],
    ["triggerSmartContract setApprovalForAll", third, other],
    ["triggerSmartContract with TRX and a TRC-10", other, undefined],
  ])("%s: %s", (name, target, token) => {
    const { questions, subject } = planOf(tronVector(name));

    expect(questions[0]).toEqual({ check: "poisoning", chain: tron, target, users: [owner], token });
    expect(subject).toMatchObject({ address: target, ...(token === undefined ? {} : { token_address: token }) });
  });

  test.each(["vote", "freezeBalanceV2", "undelegateResource", "freezeBalance for oneself", "updateAccountPermissions"])(
    "%s: no address",
    (name) => {
      const { questions, requiredChecks, settled, subject } = planOf(tronVector(name));

      expect(requiredChecks).toEqual(["tron-security", "tron-integrity"]);
      expect(questions.map(({ check }) => check)).toEqual(["tron-security"]);
      expect(settled[0]).toEqual({
        check: "poisoning",
        outcome: "not_applicable",
        cached: false,
        attempts: 0,
        error: { code: "CHECK_UNSUPPORTED", detail: "the transaction names no receiver and no spender" },
      });
      expect(subject).not.toHaveProperty("address");
    },
  );
});

describe("a transaction that cannot be decoded", () => {
  test.each([
    ["an unknown type", { type: "LaterContract" }, "the operation LaterContract cannot be decoded"],
    ["an unsupported type", { type: "GetContract" }, "the operation GetContract cannot be decoded"],
    [
      "a payload of another type",
      { type: "CreateSmartContract", parameter: { value: { owner_address: owner, new_contract: 5 } } },
      "CreateSmartContract: new_contract: must be an object",
    ],
  ])("%s", (_what, members, detail) => {
    const { settled, questions } = planOf(withContract(tronVector("sendTrx"), members));

    expect(settled).toEqual([
      failure("poisoning", "SUBJECT_UNSUPPORTED", detail),
      // The bytes still belong to the original payment.
      integrity({ integrity: "body_differs" }),
    ]);
    expect(questions.map(({ check }) => check)).toEqual(["tron-security"]);
  });

  test("several operations", () => {
    const transaction = tronVector("sendTrx");
    const [contract] = transaction.raw_data.contract;
    const two = { ...transaction, raw_data: { ...transaction.raw_data, contract: [contract, contract] } };

    expect(planOf(two).settled).toMatchObject([
      failure("poisoning", "SUBJECT_UNSUPPORTED", "one operation can be decoded, the transaction has 2"),
      { check: "tron-integrity", data: { integrity: "body_differs" } },
    ]);
  });

  test("a value that is no transaction", () => {
    const detail = "transaction: raw_data: field required";

    expect(planOf({ to: "a" })).toEqual({
      subject: {
        type: "transaction",
        chain_id: "tron",
        transaction_sha256: "6aaffc65ba7919416bca2bd0c2a3ca626e9614409fe53e9f53882d9b2f56a2e4",
      },
      requiredChecks: ["poisoning", "tron-security", "tron-integrity"],
      questions: [],
      settled: [
        failure("poisoning", "EVENT_MALFORMED", detail),
        failure("tron-security", "EVENT_MALFORMED", detail),
        failure("tron-integrity", "EVENT_MALFORMED", detail),
      ],
    });
  });

  test("an invalid user address", () => {
    const { questions } = planOf(tronVector("sendTrx"), { user_addresses: [third, "T"] });

    expect(questions[0]).toMatchObject({
      check: "poisoning",
      users: [expect.any(String), third],
      omits: { code: "USER_ADDRESS_INVALID", detail: "user_addresses[1]: must have 34 characters, has 1" },
    });
  });

  test("a check of other subjects", () => {
    const { settled, requiredChecks } = planOf(tronVector("sendTrx"), { checks: ["token-security"] });

    expect(requiredChecks).toEqual(["poisoning", "tron-security", "tron-integrity", "token-security"]);
    expect(settled[1]).toEqual(
      failure("token-security", "CHECK_UNSUPPORTED", "token-security does not apply to a transaction on TRON"),
    );
  });
});

test("a transaction with false bytes is named by the hash of its fields", () => {
  const transaction = { ...tronVector("sendTrx"), txID: "ab".repeat(32) };

  const { subject, settled } = planOf(transaction);

  expect(subject).toMatchObject({ transaction_sha256: tronVector("sendTrx").txID });
  expect(settled).toEqual([integrity({ integrity: "id_differs", txid: tronVector("sendTrx").txID })]);
});
