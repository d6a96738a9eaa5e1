/** The worker's own findings for a TRON transaction, at a service that reports nothing. */
import { describe, expect, test } from "vitest";
import type { ResponseOf, RouteName, SentTo } from "../../../../src/api/routes.ts";
import type { PolicyTable } from "../../../../src/policy/policy.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import * as p from "../../../fixtures/tron/parts.ts";
import { swapTo } from "../../../fixtures/tron/swaps.ts";
import { inProcessService } from "../../../support/in-process-service.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const real = inProcessService(p.labels);
const nothingFound: SecurityService = {
  async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    if (route !== "transactionSecurity") return real.ask(route, request, signal);
    return { code: "0", status: "ok", data: clean.tron } as ResponseOf<N>;
  },
};
/** A policy that does not require tron-security. */
const unasked: PolicyTable = {
  ...defaultPolicy.table,
  required_checks: { ...defaultPolicy.table.required_checks, tron_transaction: ["poisoning", "tron-integrity"] },
};

async function verdictOn(transaction: object, more: object = {}, table = defaultPolicy.table) {
  const sink = new FakeSink();
  const clock = new VirtualClock();
  const policyFor = () => ({ ...defaultPolicy, table });
  const worker = workerFor(nothingFound, { sink, clock, policyFor, lists: { book: p.knownBook } });
  worker.pool.expectMore(false);
  const event = { id: "1", type: "transaction", chain_id: "tron", transaction, ...more };
  await clock.runUntil(screenRecord(recordOf(JSON.stringify(event), 1), worker));
  const [verdict] = sink.verdicts;
  const findings = (verdict?.reasons ?? []).filter(({ severity }) => severity !== "INFO").map(({ finding }) => finding);
  return `${[verdict?.decision, ...findings].join(" ")}`;
}

const zero = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const blackhole = "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy";
const dead = "T9yD14Nj9j7xAB4dbGeiX9h8upfCg3PBbY";
const jst = p.tokens.get("JST") ?? "";
const pay = (to_address: string) => p.tx("TransferContract", { to_address, amount: 5 });
const asset = (to_address: string) =>
  p.tx("TransferAssetContract", { asset_name: "31303030303031", to_address, amount: 5 });
const send = (token: string, to: string) => p.call(token, p.transferOf(to, 5));
/** `multicall(bytes[])` with one call. */
const multicall = (data: string) => {
  const bytes = data.length / 2;
  const padded = data.padEnd(64 * Math.ceil(data.length / 64), "0");
  return `ac9650d8${p.word(32)}${p.word(1)}${p.word(32)}${p.word(bytes)}${padded}`;
};

describe("payments that are mistakes", () => {
  test.each([
    ["a token to its own contract", send(p.usdt, p.usdt), "BLOCK to_token_contract"],
    ["a token to another token's contract", send(p.usdt, jst), "BLOCK to_token_contract"],
    ["an unlabelled token to itself", send(p.unknownContract, p.unknownContract), "BLOCK to_token_contract"],
    ["an unlabelled token to a token's contract", send(p.unknownContract, p.usdt), "BLOCK to_token_contract"],
    ["somebody's tokens to their contract", p.call(p.usdt, p.moveOf(p.friend, p.usdt, 5)), "BLOCK to_token_contract"],
    [
      "a token in a multicall to its contract",
      p.call(p.gold, multicall(p.transferOf(p.gold, 5))),
      "BLOCK to_token_contract",
    ],
    ["TRX past the code of a token", pay(p.usdt), "BLOCK to_token_contract"],
    ["a TRC-10 past the code of a token", asset(p.usdt), "BLOCK to_token_contract"],
    ["proceeds to a token's contract", p.call(p.router, swapTo(p.usdt)), "BLOCK to_token_contract"],
    ["TRX to the zero address", pay(zero), "WARN to_burn_address"],
    ["a TRC-10 to the zero address", asset(zero), "WARN to_burn_address"],
    ["TRX to the black hole", pay(blackhole), "WARN to_burn_address"],
    ["tokens to the zero address", send(p.usdt, zero), "WARN to_burn_address"],
    ["tokens to the black hole", send(p.usdt, blackhole), "WARN to_burn_address"],
    ["tokens to the burn address of EVM", send(p.usdt, dead), "WARN to_burn_address"],
    [
      "TRX beside a call of an unlabelled contract",
      p.call(p.unknownContract, "12345678", { call_value: 5 }),
      "WARN value_to_unknown_contract",
    ],
    [
      "a TRC-10 beside it",
      p.call(p.unknownContract, "12345678", { call_token_value: 5, token_id: 1000001 }),
      "WARN value_to_unknown_contract",
    ],
  ])("%s", async (_name, transaction, said) => {
    expect(await verdictOn(transaction)).toBe(said);
  });

  test.each([
    ["a payment", pay(p.friend)],
    ["a payment of tokens", send(p.usdt, p.friend)],
    ["coins that a labelled service takes", p.call(p.router, swapTo(p.user), { call_value: 5 })],
    ["coins that are wrapped", p.call(p.gold, "d0e30db0", { call_value: 5 })],
    ["a right for nobody", p.call(p.usdt, p.approveOf(zero, 0))],
  ])("%s is no mistake", async (_name, transaction) => {
    expect(await verdictOn(transaction)).toBe("ALLOW");
  });

  test("the check payment may be required by name", async () => {
    expect(await verdictOn(pay(p.friend), { checks: ["payment"] })).toBe("ALLOW");
  });
});

describe("a call of a contract", () => {
  const unlabelled = send(p.unknownContract, p.friend);

  test.each([
    ["that no label names is judged by the service, where it is asked", unlabelled, defaultPolicy.table, "ALLOW"],
    ["that no label names is open, where no service is asked", unlabelled, unasked, "UNKNOWN CHECK_UNSUPPORTED"],
    ["that is labelled is told by its data", send(p.usdt, p.friend), unasked, "ALLOW"],
    [
      "that is accused is open",
      send(p.drainer, p.friend),
      unasked,
      "BLOCK CHECK_UNSUPPORTED listed_blocked token_is_poisoning listed_blocked",
    ],
    ["by no known function is open", p.call(p.router, "12345678"), unasked, "UNKNOWN CALLDATA_UNDECODED"],
    [
      "by arguments that are cut is open",
      p.call(p.usdt, "a9059cbb00"),
      unasked,
      "UNKNOWN CALLDATA_UNDECODED to_burn_address",
    ],
    [
      "that lets a stranger spend is open",
      p.call(p.usdt, p.approveOf(p.thief, 5)),
      unasked,
      "UNKNOWN CHECK_UNSUPPORTED",
    ],
    ["that takes a right back is told by its data", p.call(p.usdt, p.approveOf(p.thief, 0)), unasked, "ALLOW"],
  ])("%s", async (_name, transaction, table, said) => {
    expect(await verdictOn(transaction, {}, table)).toBe(said);
  });

  test("that lets a known address spend is explained by its data", async () => {
    const transaction = p.call(p.usdt, p.approveOf(p.friend, 5));

    expect(await verdictOn(transaction, { user_addresses: [p.friend] }, unasked)).toBe("ALLOW");
  });
});
