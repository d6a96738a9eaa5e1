import { expect, test } from "vitest";
import type { Lane } from "../../../../src/messages/lane.ts";
import { gateSlots } from "../../../../src/worker/rate-limit/gate/gate-slots.ts";
import { type Waiter, waiterOf } from "../../../../src/worker/rate-limit/queue/waiter.ts";
import { SolanaGroups } from "../../../../src/worker/simulation/solana-group.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { openGate } from "../../../fakes/open-gate.ts";
import { LedgerService } from "../../../fakes/solana/ledger-service.ts";
import { plain, Transactions } from "../../../fakes/solana/transactions.ts";
import { evenly } from "../../../fakes/turns.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";

test("a deposit beside a full backfill leaves at once, and waiting events share its request", async () => {
  const clock = new VirtualClock(0);
  const transactions = new Transactions();
  const ledger = new LedgerService(transactions, { shared: true });
  const sent: [at: number, transactions: number][] = [];
  const service = new FakeService().on("solanaEmulate", async (request) => {
    sent.push([clock.ticks(), request.sol_transactions.length]);
    await clock.sleep(10_000);
    return ledger.answer(request);
  });
  const slots = gateSlots(openGate(clock, { concurrency: 8 }), "e");
  const groups = new SolanaGroups({
    service,
    slots,
    decoder: transactions,
    weightOf: evenly,
    ticks: () => 0,
    groupMax: 8,
  });
  let payers = 0;
  const ask = (lane: Lane) => {
    const turn: Waiter = waiterOf({ lane, tenant: "" });
    const question = { transactions: [transactions.make(plain(++payers))] };
    void groups.ask(question, { turn, signal: new AbortController().signal, onSent: () => undefined });
    return clock.advance(1_000);
  };
  await ask("realtime");
  for (let i = 0; i < 7; i++) await ask("backfill");
  await ask("realtime");

  expect(sent).toEqual([...[0, 1, 2, 3, 4, 5, 6].map((at) => [1_000 * at, 1]), [8_000, 2]]);
});
