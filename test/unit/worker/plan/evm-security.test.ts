import { expect, test } from "vitest";
import {
  ChainUnsupportedError,
  RejectedError,
  UnavailableError,
} from "../../../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeSink, recordOf } from "../../../fakes/records.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { friend, labels, me, stranger, token } from "../../../fixtures/evm-people.ts";
import { calldata } from "../../../support/evm-calls.ts";
import { inProcessService } from "../../../support/in-process-service.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const approval = { from: me, to: token, data: calldata("approve(address,uint256)", [stranger, 5n]) };
const payment = { from: me, to: friend, value: "1" };

/** The outcome of an event when the service answers `said` or fails with it, and the number of requests. */
async function verdictOn(transaction: object, said: unknown, more: object = {}) {
  const real = inProcessService(labels);
  let asked = 0;
  const service: SecurityService = {
    async ask(route, request, signal) {
      if (route !== "evmTransactionSecurity") return real.ask(route, request, signal);
      asked++;
      if (said instanceof Error) throw said;
      return said as never;
    },
  };
  const sink = new FakeSink();
  const clock = new VirtualClock();
  const worker = workerFor(service, { sink, clock, policyFor: () => defaultPolicy });
  worker.pool.expectMore(false);
  const event = { id: "1", type: "transaction", chain_id: "1", transaction, ...more };
  await clock.runUntil(screenRecord(recordOf(JSON.stringify(event), 1), worker));
  const [verdict] = sink.verdicts;
  const reasons = verdict?.reasons.filter(({ check }) => check === "evm-security").map(({ finding }) => finding);
  return { decision: verdict?.decision, reasons, asked };
}

const answer = (data: unknown) => ({ code: "0", status: "ok", data });

test.each<[string, unknown, string, string, number]>([
  ["is clean", answer(clean.tron), "ALLOW", "no_signal", 1],
  ["refuses the chain", new ChainUnsupportedError("unsupported chainId: 1"), "UNKNOWN", "CHECK_UNSUPPORTED", 1],
  ["does not take the form", new RejectedError("tron_transactions: field required"), "UNKNOWN", "SERVICE_REJECTED", 1],
  ["fails", new UnavailableError("500"), "UNKNOWN", "SERVICE_UNAVAILABLE", 5],
  ["holds nothing", answer({}), "UNKNOWN", "ANSWER_INVALID", 1],
  ["has an error beside it", answer({ ...clean.tron, error: "x" }), "UNKNOWN", "ANSWER_INVALID", 3],
  [
    "contradicts itself",
    answer({ security: { ...clean.tron.security, overall_score: 4 } }),
    "UNKNOWN",
    "inconsistent_answer",
    1,
  ],
])("a right for an unknown address, when the answer %s", async (_name, said, decision, reason, asked) => {
  expect(await verdictOn(approval, said)).toEqual({ decision, reasons: [reason], asked });
});

test("a payment is sent to the service only if the event requires it", async () => {
  const failing = new RejectedError("no such form");

  expect(await verdictOn(payment, failing)).toEqual({ decision: "ALLOW", reasons: [], asked: 0 });
  expect(await verdictOn(payment, failing, { checks: ["evm-security"] })).toEqual({
    decision: "UNKNOWN",
    reasons: ["SERVICE_REJECTED"],
    asked: 1,
  });
});
