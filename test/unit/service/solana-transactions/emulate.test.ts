/**
 * The sections "Solana simulation request" and "Solana simulation response" of the service's interface, and the rules
 * of Solana's runtime. Source: docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */

import { base58 } from "@scure/base";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  getCreateAssociatedTokenInstructionAsync,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { SolanaEmulateResponse } from "../../../../src/api/schemas/solana-emulate.ts";
import { programs } from "../../../../src/chains/solana/programs.ts";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { operationsOver } from "../../../../src/service/operations.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { call, service } from "../../../support/service.ts";

const labels = LabelBook.of([
  readLabelList(
    "test",
    [
      { chain: "solana", address: w.mint, kind: "token", name: "GOLD", full_name: "Pure Gold" },
      { chain: "solana", address: w.thief, kind: "malicious", name: "drainer" },
      { chain: "solana", address: w.friend, kind: "exchange", name: "Exchange", risk_level: "1" },
    ].map((row, i) => ({ line: i + 2, row })),
  ),
]);
let ids = 0;
const requestId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`;

function appOver(accounts = w.world()) {
  const solana = { simulator: w.simulatorOver(accounts), requestId };
  return service({ operations: operationsOver({ labels: () => labels, solana }) });
}

const app = appOver();
type Balance = NonNullable<SolanaEmulateResponse["data"]["results"][number]["balance_changes"]>[number];

async function ask(items: readonly object[], requested_items: object = {}, on = app) {
  const answered = await call(on, "solanaEmulate", { sol_transactions: items, requested_items });
  return answered as { http: number; body: SolanaEmulateResponse & { detail: string } };
}

async function simulate(items: readonly object[], requested_items: object = {}, on = app) {
  const { http, body } = await ask(items, requested_items, on);
  expect([http, body.code, body.status]).toEqual([200, "0", "ok"]);
  return body.data;
}

const pay = (amount: bigint, to = w.friend) =>
  getTransferSolInstruction({ source: w.signing(w.user), destination: to, amount });
const sendTokens = (amount: bigint) =>
  getTransferInstruction({
    source: w.userTokens,
    destination: w.friendTokens,
    authority: w.signing(w.user),
    amount,
  });

const paid = {
  from: w.user,
  to: programs.system,
  compute_units_consumed: 150,
  called_addresses: [programs.system],
  involved_addresses: [w.user, programs.system, w.friend],
  balance_changes: [
    {
      token_address: "native",
      tokenName: "Solana",
      symbol: "SOL",
      divisor: "9",
      tokenPriceUSD: "",
      change_list: [
        {
          address: w.user,
          amount_change: "-1.500005",
          begin_value: "10000000000",
          delta_value: "-1500005000",
          end_value: "8499995000",
          value_usd: "",
        },
        {
          address: w.friend,
          amount_change: "1.5",
          begin_value: "10000000000",
          delta_value: "1500000000",
          end_value: "11500000000",
          value_usd: "",
        },
      ],
    },
  ],
  error: null,
  block_height: w.SLOT,
  request_id: expect.stringMatching(/^00000000-0000-4000-8000-\d{12}$/),
  findings: [],
};

describe("a transfer of SOL", () => {
  const message = w.messageBytes([pay(1_500_000_000n)], { version: "legacy" });
  const wire = w.wireOf(message);
  test.each([
    ["version 0", w.serialized([pay(1_500_000_000n)])],
    ["legacy", w.serialized([pay(1_500_000_000n)], { version: "legacy" })],
    ["a message without signatures", { transaction: Buffer.from(message).toString("base64") }],
    ["structured", w.structured([pay(1_500_000_000n)])],
    ["base58", { transaction: base58.encode(wire), encoding: "base58" }],
  ])("a transfer of SOL is simulated from this form: %s", async (_what, item) => {
    expect(await simulate([item])).toEqual({
      exec_summary: {
        result_code: "000000000",
        result_description: "every transaction simulated normally",
        error_data: null,
      },
      results: [paid],
    });
  });

  test("a simulation leaves nothing behind, so the same transaction has the same result", async () => {
    const item = w.serialized([pay(1_500_000_000n)]);

    const { results } = await simulate([item, item]);

    expect(results).toEqual([paid, paid]);
  });
});

test("names are echoed, the order is kept, and all results have the id of the request", async () => {
  const items = [1n, 2n, 3n].map((sol, i) => ({ ...w.serialized([pay(sol * 1_000_000_000n)]), name: `n${i}` }));

  const { results } = await simulate(items);

  expect(results.map(({ name }) => name)).toEqual(["n0", "n1", "n2"]);
  expect(results.map((each) => each.balance_changes?.[0]?.change_list[1]?.delta_value)).toEqual([
    "1000000000",
    "2000000000",
    "3000000000",
  ]);
  expect(new Set(results.map(({ request_id }) => request_id)).size).toBe(1);
});

describe("prices", () => {
  const prices: Readonly<Record<string, string>> = { native: "142.123456789", [w.mint]: "0.000000000000000003" };
  const priced = (of: Readonly<Record<string, string>>) => {
    const solana = { simulator: w.simulatorOver(w.world()), requestId, priceOf: (token: string) => of[token] };
    return service({ operations: operationsOver({ labels: () => labels, solana }) });
  };
  const valued = ({ token_address, tokenPriceUSD, change_list }: Balance) => [
    token_address,
    tokenPriceUSD,
    change_list.map(({ value_usd }) => value_usd),
  ];

  test("prices and values are exact to the last digit", async () => {
    const { results } = await simulate(
      [w.serialized([pay(1_500_000_000n), sendTokens(250_000_001n)])],
      {},
      priced(prices),
    );

    expect(results[0]?.balance_changes?.map(valued)).toEqual([
      ["native", "142.123456789", ["-213.185895800783945", "213.1851851835"]],
      [w.mint, "0.000000000000000003", ["-0.000000000000000750000003", "0.000000000000000750000003"]],
    ]);
  });

  test("price and value stay empty without a price", async () => {
    const { results } = await simulate([w.serialized([pay(5n), sendTokens(1n)])], {}, priced({ [w.mint]: "2" }));

    expect(results[0]?.balance_changes?.map(valued)).toEqual([
      ["native", "", ["", ""]],
      [w.mint, "2", ["-0.000002", "0.000002"]],
    ]);
  });

  test("prices change no finding", async () => {
    const item = w.serialized([pay(9_000_000_000n)]);

    const [dear] = (await simulate([item], {}, priced({ native: "1000000" }))).results;
    const [cheap] = (await simulate([item], {}, priced({ native: "0" }))).results;

    expect(dear?.findings).toEqual(cheap?.findings);
    expect(cheap?.balance_changes?.map(valued)).toEqual([["native", "0", ["0", "0"]]]);
  });
});

describe("tokens", () => {
  test("tokens belong to the owner of the account, with the symbol that labels give", async () => {
    const { results } = await simulate([w.serialized([sendTokens(250_000_000n)])]);

    expect(results[0]?.balance_changes?.[1]).toEqual({
      token_address: w.mint,
      tokenName: "Pure Gold",
      symbol: "GOLD",
      divisor: "6",
      tokenPriceUSD: "",
      change_list: [
        {
          address: w.user,
          amount_change: "-250",
          begin_value: "1000000000",
          delta_value: "-250000000",
          end_value: "750000000",
          value_usd: "",
        },
        {
          address: w.friend,
          amount_change: "250",
          begin_value: "0",
          delta_value: "250000000",
          end_value: "250000000",
          value_usd: "",
        },
      ],
    });
    expect(results[0]?.involved_addresses).toEqual([w.user, programs.token, w.friend]);
  });

  test("tokens may go to an account that the transaction creates, and called programs are listed in their order", async () => {
    const stranger = w.named(99);
    const create = await getCreateAssociatedTokenInstructionAsync({
      payer: w.signing(w.user),
      owner: stranger,
      mint: w.mint,
    });
    const [, made] = create.accounts;
    const send = getTransferCheckedInstruction({
      source: w.userTokens,
      mint: w.mint,
      destination: made.address,
      authority: w.signing(w.user),
      amount: 5n,
      decimals: 6,
    });

    const [result] = (await simulate([w.serialized([create, send])])).results;

    expect(result?.called_addresses).toEqual([programs.associatedToken, programs.token, programs.system]);
    expect(result?.to).toBe(programs.associatedToken);
    expect(result?.balance_changes?.[1]?.change_list).toEqual([
      expect.objectContaining({ address: w.user, delta_value: "-5", amount_change: "-0.000005" }),
      expect.objectContaining({ address: stranger, begin_value: "0", end_value: "5" }),
    ]);
    expect(result?.balance_changes?.[0]?.change_list).toEqual([
      expect.objectContaining({ address: w.user, delta_value: "-2044280" }),
      expect.objectContaining({ address: made.address, delta_value: "2039280" }),
    ]);
  });
});

describe("requested_items", () => {
  test("balance_changes false leaves out the changes, but keeps the involved addresses", async () => {
    const [result] = (await simulate([w.serialized([pay(5_000_000n)])], { balance_changes: false })).results;

    expect(result?.balance_changes).toEqual([]);
    expect(result?.involved_addresses).toEqual([w.user, programs.system, w.friend]);
    expect(result).not.toHaveProperty("involved_addresses_risks");
  });

  test("risk levels are 0 for programs of the network, a label's own level, 5 for a malicious address, and -1 for an unknown one", async () => {
    const items = [w.serialized([pay(5_000_000n), pay(6_000_000n, w.thief)])];

    const [result] = (await simulate(items, { involved_address_risks: true })).results;

    expect(result?.involved_addresses_risks).toEqual([
      { address: w.user, risk_level: -1 },
      { address: programs.system, risk_level: 0 },
      { address: w.friend, risk_level: 1 },
      { address: w.thief, risk_level: 5 },
    ]);
  });

  test("in a sequence, a drain in parts is reported for the last transaction, and outside a sequence for none", async () => {
    const items = [3_000_000_001n, 3_000_000_002n, 3_000_000_003n].map((amount) => w.serialized([pay(amount)]));
    const namesOf = async (sequence: boolean) =>
      (await simulate(items, { sequence })).results.map(({ findings = [] }) => findings.map(({ name }) => name));

    expect(await namesOf(true)).toEqual([[], [], ["majority_of_sol_leaves"]]);
    expect(await namesOf(false)).toEqual([[], [], []]);
  });

  test("without sequence each transaction starts with all the money, and with sequence with the rest of it", async () => {
    const items = [w.serialized([pay(6_000_000_000n)]), w.serialized([pay(6_000_000_000n)])];

    expect((await simulate(items)).results.map(({ error }) => error)).toEqual([null, null]);
    expect((await simulate(items, { sequence: true })).results.map(({ error }) => error)).toEqual([
      null,
      "InstructionError(0, Custom(1))",
    ]);
    expect((await simulate(items)).results.map(({ error }) => error)).toEqual([null, null]);
  });
});

describe("a failed simulation is an answer", () => {
  const [plainPay] = [pay(99_000_000_000n)];
  const unknownProgram = { programAddress: w.named(77), accounts: [], data: new Uint8Array([1]) };
  test.each([
    ["too little money", w.serialized([plainPay]), "000000002", "InstructionError(0, Custom(1))"],
    [
      "too many tokens",
      w.serialized([pay(1_000_000n), sendTokens(2_000_000_000n)]),
      "000000002",
      "InstructionError(1, Custom(1))",
    ],
    ["nobody pays", w.serialized([pay(1n)], { payer: w.named(66) }), "000000003", "AccountNotFound"],
    ["no such program", w.serialized([unknownProgram]), "000000003", "ProgramAccountNotFound"],
    [
      "an account left with less than its rent",
      w.serialized([pay(5n, w.named(98))]),
      "000000001",
      "InsufficientFundsForRent(1)",
    ],
    [
      "data that no instruction has",
      w.serialized([{ ...plainPay, data: new Uint8Array([255, 255, 255, 255]) }]),
      "000000002",
      "InstructionError(0, InvalidInstructionData)",
    ],
    [
      "no signature of the owner",
      w.structured(
        [{ ...sendTokens(5n), accounts: sendTokens(5n).accounts.map((each) => ({ ...each, role: 1 })) }],
        w.friend,
      ),
      "000000002",
      "InstructionError(0, MissingRequiredSignature)",
    ],
  ])("the error of a failed simulation: %s", async (_what, item, result_code, error) => {
    const { exec_summary, results } = await simulate([item, w.serialized([pay(1_500_000_000n)])], {
      involved_address_risks: true,
    });

    expect(exec_summary).toMatchObject({ result_code, error_data: `transaction 0: ${error}` });
    expect(results[0]).toMatchObject({
      error,
      compute_units_consumed: 0,
      called_addresses: [],
      involved_addresses: [],
      involved_addresses_risks: [],
      balance_changes: [],
    });
    expect(results[1]).toMatchObject({ error: null });
  });
});

describe("an unreadable transaction is refused, and the answer names the field", () => {
  const wire = w.wireOf(w.messageBytes([pay(5n)]));
  const text = (bytes: Uint8Array) => ({ transaction: Buffer.from(bytes).toString("base64") });
  test.each([
    ["bytes behind the transaction", text(Uint8Array.from([...wire, 0])), "1 bytes follow the transaction"],
    [
      "a transaction cut short",
      text(wire.subarray(0, -1)),
      `ends after ${wire.length - 1} bytes, in the middle of a field`,
    ],
    ["too many bytes", text(new Uint8Array(1_233)), "holds 1233 bytes, of which a transaction may have 1232"],
    ["a later version", text(Uint8Array.from([0x81, ...wire.subarray(66)])), "has version 1, which is not supported"],
    [
      "one version of which is not supported, signed",
      text(Uint8Array.from([...wire.subarray(0, 65), 0x81, ...wire.subarray(66)])),
      "has version 1, which is not supported",
    ],
  ])("the transaction is refused: %s", async (_what, item, detail) => {
    expect(await ask([w.serialized([pay(5n)]), item])).toMatchObject({
      http: 422,
      body: { code: "-1", status: "invalid request", detail: `sol_transactions[1].transaction: ${detail}` },
    });
  });

  test("a structured transaction that exceeds a packet is refused", async () => {
    const many = Array.from({ length: 62 }, () => pay(5n));

    expect(await ask([w.structured(many)])).toMatchObject({
      http: 422,
      body: { detail: "sol_transactions[0]: takes 1252 bytes, of which a transaction may have 1232" },
    });
  });

  test("more than 64 transactions are refused", async () => {
    expect(await ask(Array.from({ length: 65 }, () => w.serialized([pay(5n)])))).toMatchObject({
      http: 422,
      body: { detail: "sol_transactions: at most 64 items" },
    });
  });
});

test.each([
  ["badGateway", 502, "bad gateway"],
  ["gatewayTimeout", 504, "gateway timeout"],
] as const)("a simulator that fails is a %s", async (failure, http, status) => {
  const simulator = { simulate: async () => ({ ok: false, failure, detail: "the simulator died" }) as const };
  const broken = service({ operations: operationsOver({ labels: () => labels, solana: { simulator, requestId } }) });

  expect(await ask([w.serialized([pay(5n)])], {}, broken)).toMatchObject({ http, body: { code: "-2", status } });
});
