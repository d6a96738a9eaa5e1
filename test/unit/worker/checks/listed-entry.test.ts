import { describe, expect, test } from "vitest";
import { defaultPolicy } from "../../../fakes/events.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { workerFor } from "../../../fakes/worker.ts";
import * as p from "../../../fixtures/evm-people.ts";
import { listedBook, listInfo, shippedBook } from "../../../support/address-book.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";
import { calldata, multiSendOf, safeExec } from "../../../support/evm-calls.ts";
import { inProcessService } from "../../../support/in-process-service.ts";
import { bad, listed, padded, solana, transaction, tron, tronEvent, verdictOn } from "../../../support/listed-case.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const solanaEvent = {
  type: "transaction",
  chain_id: "solana",
  transaction: {
    feePayer: solana.user,
    instructions: [
      {
        programId: "11111111111111111111111111111111",
        keys: [
          { pubkey: solana.user, isSigner: true, isWritable: true },
          { pubkey: solana.bad, isSigner: false, isWritable: true },
        ],
        data: "AgAAAADh9QUAAAAA",
      },
    ],
  },
};
describe("an event that involves a listed address is blocked", () => {
  test.each([
    ["a deposit from it", { type: "address", chain_id: "1", address: bad }],
    [
      "a deposit on another chain of the family",
      { type: "address", chain_id: "8453", address: bad, user_addresses: [p.friend] },
    ],
    ["its token", { type: "address", chain_id: "1", address: p.friend, token_address: bad }],
    ["coins to it", transaction({ to: bad, value: "1" })],
    [
      "coins from it",
      { ...transaction({ to: p.friend, value: "1" }), transaction: { from: bad, to: p.friend, value: "1" } },
    ],
    ["tokens to it", transaction({ to: p.token, data: calldata("transfer(address,uint256)", [bad, 5n]) })],
    [
      "tokens taken from it",
      transaction({ to: p.token, data: calldata("transferFrom(address,address,uint256)", [bad, p.me, 5n]) }),
    ],
    ["a right for it", transaction({ to: p.token, data: calldata("approve(address,uint256)", [bad, 5n]) })],
    ["a call of it", transaction({ to: bad, data: "0xdeadbeef" })],
    ["a Safe's payment to it", transaction({ to: p.safe, data: safeExec({ to: bad, value: 1n }) })],
    ["an account that its code acts for", transaction({ to: p.me, authorization_list: [{ address: bad }] })],
    [
      "an unknown call that names it",
      transaction({ to: p.router, data: `0xdeadbeef${padded(p.friend)}${padded(bad)}` }),
    ],
    ["TRX to it", tronEvent("TransferContract", { to_address: tron.badHex, amount: 5 })],
    [
      "a TRC-20 transfer to it",
      tronEvent("TriggerSmartContract", {
        contract_address: `41${p.token.slice(2)}`,
        data: `a9059cbb${"0".repeat(24)}${tron.badHex.slice(2)}${"5".padStart(64, "0")}`,
      }),
    ],
    [
      "an unknown TRON call that names it",
      tronEvent("TriggerSmartContract", {
        contract_address: `41${p.token.slice(2)}`,
        data: `deadbeef${"0".repeat(24)}${tron.badHex.slice(2)}`,
      }),
    ],
    [
      "TRC-20 tokens taken from it",
      tronEvent("TriggerSmartContract", {
        contract_address: `41${p.token.slice(2)}`,
        data: `23b872dd${"0".repeat(24)}${tron.badHex.slice(2)}${"0".repeat(24)}${tron.owner.slice(2)}${"5".padStart(64, "0")}`,
      }),
    ],
    [
      "a TRON call of it, behind 300 other words",
      tronEvent("TriggerSmartContract", {
        contract_address: tron.badHex,
        data: `7ff36ab5${Array.from({ length: 300 }, (_, i) => `${"0".repeat(24)}${(i + 1).toString(16).padStart(4, "1").padEnd(40, "7")}`).join("")}`,
      }),
    ],
    [
      "an item whose payload names it",
      transaction({
        to: p.collection,
        data: calldata("safeTransferFrom(address,address,uint256,bytes)", [p.me, p.friend, 1n, `0x${padded(bad)}`]),
      }),
    ],
    [
      "a TRON permission for it",
      tronEvent("AccountPermissionUpdateContract", {
        owner: { type: 0, threshold: 1, keys: [{ address: tron.badHex, weight: 1 }] },
      }),
    ],
    ["SOL to it", solanaEvent],
    [
      "a right taken back from it, and an item whose payload names it",
      transaction({
        to: p.multiSendContract,
        data: multiSendOf([
          { to: p.token, data: calldata("approve(address,uint256)", [bad, 0n]) },
          {
            to: p.collection,
            data: calldata("safeTransferFrom(address,address,uint256,bytes)", [p.me, p.friend, 1n, `0x${padded(bad)}`]),
          },
        ]),
      }),
    ],
    [
      "a right taken back from it, and an unknown call that names it",
      transaction({
        to: p.multiSendContract,
        data: multiSendOf([
          { to: p.token, data: calldata("approve(address,uint256)", [bad, 0n]) },
          { to: p.router, data: `0xdeadbeef${padded(bad)}` },
        ]),
      }),
    ],
    [
      "a TRON call of it by approveAndCall of nothing",
      tronEvent("TriggerSmartContract", {
        contract_address: `41${p.token.slice(2)}`,
        data: `cae9ca51${"0".repeat(24)}${tron.badHex.slice(2)}${"0".repeat(64)}${"60".padStart(64, "0")}${"0".repeat(64)}`,
      }),
    ],
  ])("%s", async (_name, event) => {
    const { decision, reasons, lists } = await verdictOn(event, listed);

    expect(reasons).toContainEqual(
      expect.objectContaining({ check: "listed", finding: "listed_sanctioned", severity: "BLOCK" }),
    );
    expect(decision).toBe("BLOCK");
    expect(lists).toBe(listed.id);
  });

  test("with a reason that names the list and the entry, and with evidence of their sources", async () => {
    const { reasons, checks } = await verdictOn({ type: "address", chain_id: "1", address: bad }, listed);

    expect(reasons.find(({ check }) => check === "listed")?.detail).toBe(
      `${bad} is sanctioned by the list ofac.csv of 2026-11-20: A party, program CYBER2, note: uid 1`,
    );
    expect(checks.find(({ check }) => check === "listed")).toMatchObject({
      outcome: "ok",
      attempts: 0,
      data: {
        matches: [
          {
            address: bad,
            standing: "sanctioned",
            name: "A party",
            program: "CYBER2",
            note: "uid 1",
            list: { name: "ofac.csv", sha256: listInfo.sha256, date: "2026-11-20", loaded_at: listInfo.loadedAt },
          },
        ],
      },
    });
  });
});

describe("a listed address that the user knows", () => {
  test.each([
    ["an address event", { type: "address", chain_id: "1", address: p.friend, user_addresses: [p.me, bad] }],
    [
      "an address event with a token",
      { type: "address", chain_id: "1", address: p.friend, token_address: p.token, user_addresses: [bad] },
    ],
    ["a transaction", transaction({ to: p.friend, value: "1" }, { user_addresses: [bad] })],
  ])("a listed user is a warning by the default policy: %s", async (_name, event) => {
    const { decision, reasons } = await verdictOn(event, listed);

    expect(reasons).toContainEqual(
      expect.objectContaining({
        finding: "listed_user",
        severity: "WARN",
        detail: `the user knows ${bad}, which is sanctioned by the list ofac.csv of 2026-11-20: A party, program CYBER2, note: uid 1`,
      }),
    );
    expect(decision).not.toBe("ALLOW");
  });

  test("a listed user that the event also names as a party counts as a party", async () => {
    const event = { type: "address", chain_id: "1", address: bad, user_addresses: [bad] };
    const { reasons } = await verdictOn(event, listed);

    expect(reasons.map(({ finding }) => finding)).toContain("listed_sanctioned");
    expect(reasons.map(({ finding }) => finding)).not.toContain("listed_user");
  });

  test("a listed user is no reason if a list allows it", async () => {
    const book = listedBook(labelOf("1", p.me, "allowed", "Our hot wallet"));
    const event = { type: "address", chain_id: "1", address: p.friend, user_addresses: [p.me] };

    expect((await verdictOn(event, book)).reasons.map(({ check }) => check)).toEqual(["poisoning"]);
  });
});

describe("revoking a right from a listed address is not blocked", () => {
  test.each([
    ["an allowance", transaction({ to: p.token, data: calldata("approve(address,uint256)", [bad, 0n]) })],
    ["an operator", transaction({ to: p.collection, data: calldata("setApprovalForAll(address,bool)", [bad, false]) })],
    ["a delegation on TRON", tronEvent("UnDelegateResourceContract", { receiver_address: tron.badHex, balance: 5 })],
  ])("%s", async (_name, event) => {
    const { reasons } = await verdictOn(event, listed);

    expect(reasons.filter(({ check }) => check === "listed")).toEqual([]);
  });

  test.each([
    ["an unlabelled contract", { to: p.unlabelled, data: calldata("approve(address,uint256)", [bad, 0n]) }],
    ["an unlabelled collection", { to: p.unlabelled, data: calldata("setApprovalForAll(address,bool)", [bad, false]) }],
    [
      "an unlabelled Permit2",
      { to: p.unlabelled, data: calldata("lockdown((address,address)[])", [[[p.token, bad]]]) },
    ],
    // An approval of 0 gives item 0 there.
    [
      "a labelled contract that is no token",
      { to: p.collection, data: calldata("approve(address,uint256)", [bad, 0n]) },
    ],
  ])("a call of %s is blocked, because it may do something else", async (_name, fields) => {
    const { decision, reasons } = await verdictOn(transaction(fields), listed);

    expect(decision).toBe("BLOCK");
    expect(reasons.map(({ finding }) => finding)).toContain("listed_sanctioned");
  });
});

test("an unlisted address is allowed, and the verdict names the used lists by one id", async () => {
  const event = { type: "address", chain_id: "1", address: p.friend, user_addresses: [p.me] };
  const verdict = await verdictOn(event, listed);

  expect(verdict).toMatchObject({ decision: "ALLOW", lists: listed.id });
  expect(verdict.checks.map(({ check }) => check)).toEqual(["poisoning"]);
  expect(JSON.stringify(verdict).length - JSON.stringify(await verdictOn(event)).length).toBe(
    '"lists":"0123456789abcdef",'.length,
  );
});

test("a verdict without lists names none", async () => {
  const verdict = await verdictOn({ type: "address", chain_id: "1", address: p.friend, user_addresses: [p.me] });

  expect(JSON.parse(JSON.stringify(verdict))).not.toHaveProperty("lists");
});

test("an allowed address is reported, and no other finding about it is removed", async () => {
  const event = { type: "address", chain_id: "1", address: p.imitationOf(p.me), user_addresses: [p.me] };
  const allowed = labelOf("1", p.imitationOf(p.me), "allowed", "Our cold wallet");

  expect((await verdictOn(event)).decision).toBe("BLOCK");
  expect(await verdictOn(event, listedBook(allowed))).toMatchObject({ decision: "WARN" });
  expect(await verdictOn(event, listedBook(allowed, { ...allowed, kind: "blocked" }))).toMatchObject({
    decision: "BLOCK",
  });
});

test("the program's own labels accuse as well, and are no list", async () => {
  const book = shippedBook({ ...labelOf("1", bad, "protocol", "Drained"), riskLevel: 5 });
  const { decision, lists, reasons } = await verdictOn({ type: "address", chain_id: "1", address: bad }, book);

  expect(decision).toBe("BLOCK");
  expect(lists).toBeUndefined();
  expect(reasons.map(({ detail }) => detail)).toContainEqual(
    `${bad} is protocol, risk level 5 by a label that ships with Weir: Drained`,
  );
});

const solanaApproval = {
  type: "transaction",
  chain_id: "solana",
  transaction: {
    feePayer: solana.user,
    instructions: [
      {
        programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        keys: [
          { pubkey: "CfS355JNmMCxvB4qWbgJfLWvtqHi6DvAG66cJYEWzxU2", isSigner: true, isWritable: true },
          { pubkey: solana.bad, isSigner: false, isWritable: false },
          { pubkey: solana.user, isSigner: true, isWritable: false },
        ],
        data: Buffer.from([4, ...Array.from({ length: 8 }, () => 255)]).toString("base64"),
      },
    ],
  },
};

test.each([
  ["EVM", "1", bad, transaction({ to: p.token, data: calldata("approve(address,uint256)", [bad, p.ALL]) })],
  [
    "TRON",
    "tron",
    tron.bad,
    tronEvent("TriggerSmartContract", {
      contract_address: `41${p.token.slice(2)}`,
      data: `095ea7b3${"0".repeat(24)}${tron.badHex.slice(2)}${"f".repeat(64)}`,
    }),
  ],
  ["Solana", "solana", solana.bad, solanaApproval],
])("an unlimited approval of a protocol with risk 5 is still reported: %s", async (_family, chain, address, event) => {
  const book = listedBook({ ...labelOf(chain, address, "protocol", "Drained"), riskLevel: 5 });
  const { decision, reasons } = await verdictOn(event, book);

  expect(reasons).toContainEqual(expect.objectContaining({ finding: "listed_blocked", severity: "BLOCK" }));
  expect(decision).toBe("BLOCK");
});

describe("an event that requires the check by name", () => {
  const event = { type: "address", chain_id: "1", address: p.friend, user_addresses: [p.me], checks: ["listed"] };

  test("the check has an entry, although nothing was found", async () => {
    const { decision, checks } = await verdictOn(event, listed);

    expect(decision).toBe("ALLOW");
    expect(checks).toContainEqual(expect.objectContaining({ check: "listed", outcome: "ok", data: { matches: [] } }));
  });

  test("the check is UNKNOWN if no list is loaded", async () => {
    const { decision, reasons } = await verdictOn(event);

    expect(decision).toBe("UNKNOWN");
    expect(reasons).toContainEqual(expect.objectContaining({ check: "listed", finding: "CHECK_UNSUPPORTED" }));
  });
});

test("a policy that requires only the lists allows unlisted addresses", async () => {
  const sink = new FakeSink();
  const required_checks = { ...defaultPolicy.table.required_checks, address: ["listed"] as const };
  const policy = { ...defaultPolicy, table: { ...defaultPolicy.table, required_checks } };
  const worker = workerFor(inProcessService(bookOf()), { sink, policyFor: () => policy, lists: { book: listed } });

  await screenRecord(recordOf(JSON.stringify({ type: "address", chain_id: "1", address: p.friend })), worker);

  expect(sink.verdicts).toMatchObject([{ decision: "ALLOW", checks: [{ check: "listed" }] }]);
});
