import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { TronTransaction } from "../../../../src/api/schemas/transaction-security.ts";
import { RateLimitedError, RejectedError } from "../../../../src/worker/answers/service-errors.ts";
import { ask } from "../../../../src/worker/checks/ask.ts";
import type { Question } from "../../../../src/worker/plan/question.ts";
import type { SecurityService } from "../../../../src/worker/ports.ts";
import { pacedSlots } from "../../../fakes/slots.ts";
import { plain, Transactions } from "../../../fakes/solana/transactions.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { chainOf, evm } from "../../../support/poisoning-parts.ts";

const chain = chainOf("1");
const simulated = new Transactions();

function tronTransaction(i: number): TronTransaction {
  const contract = [{ type: "TransferContract", parameter: { value: { owner_address: `T${i}`, amount: 1 } } }];
  const parsed = requestParser(TronTransaction)({ visible: true, txID: "00", raw_data: { contract } });
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** The `i`-th question of a check, and a text that only its request contains. */
type Numbered = (i: number) => readonly [question: Question, mark: string];

const evmQuestion: Numbered = (i) => {
  const transaction = { from: evm(500), to: evm(i), value: 1n, data: "", delegates: [] };
  return [{ check: "evm-security", chain, transaction, users: [] } as unknown as Question, evm(i)];
};
const solanaQuestion: Numbered = (i) => {
  const transaction = simulated.make(plain(i));
  return [
    { check: "solana-simulation", transactions: [transaction] } as unknown as Question,
    transaction.feePayer ?? "",
  ];
};

/**
 * Single questions wait for one permit each, and permits during the pause are unused. A batch or group waits for one
 * permit.
 */
test.each<[string, number, Numbered]>([
  ["token-security", 300, (i) => [{ check: "token-security", chain, token: evm(i) }, evm(i)]],
  ["classification", 300, (i) => [{ check: "classification", chain, address: evm(i) } as Question, evm(i)]],
  [
    "tron-security",
    300,
    (i) => [
      { check: "tron-security", chain, transaction: tronTransaction(i), dappUrl: undefined, own: undefined },
      `"T${i}"`,
    ],
  ],
  ["evm-security", 300, evmQuestion],
  ["solana-simulation", 280, solanaQuestion],
  [
    "poisoning",
    280,
    (i) => [{ check: "poisoning", chain, target: evm(i), users: [evm(100 + i)], token: undefined }, evm(i)],
  ],
])(
  "a question of %s that got a 429 keeps its position and is sent again before later questions",
  async (_check, opensAt, numbered) => {
    const clock = new VirtualClock(0);
    const asked: string[] = [];
    const marks = Array.from({ length: 4 }, (_, i) => numbered(i)[1]);
    const service: SecurityService = {
      async ask(_route, request) {
        const text = JSON.stringify(request);
        asked.push(`${marks.findIndex((mark) => text.includes(mark))} ${clock.ticks()}`);
        await clock.sleep(30);
        throw asked.length === 1 ? new RateLimitedError("429", 250) : new RejectedError("422");
      },
    };
    const worker = workerFor(service, { clock, slots: pacedSlots(clock, 100), groupMax: 1 });
    worker.pool.expectMore(false);
    const asker = { lane: "realtime", tenant: "", isCrowded: () => false } as const;
    const all = marks.map((_, i) => ask(numbered(i)[0], asker, worker));
    await clock.runUntil(Promise.all(all));

    expect(asked).toEqual(["0 0", ...[0, 1, 2, 3].map((i) => `${i} ${opensAt + 100 * i}`)]);
  },
);
